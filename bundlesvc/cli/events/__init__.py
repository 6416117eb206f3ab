"""Commands about outgoing webhooks."""
