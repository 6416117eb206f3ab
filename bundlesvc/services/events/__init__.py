"""Outgoing webhooks: finds the shops with endpoints, and delivers events."""
