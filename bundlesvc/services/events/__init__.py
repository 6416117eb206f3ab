"""Outgoing webhooks: which shops have endpoints, and the delivery of events."""
