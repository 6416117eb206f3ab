"""The commands for outgoing webhooks."""
