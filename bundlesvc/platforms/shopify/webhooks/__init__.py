"""The messages that shops send: webhooks about changes and orders, and requests concerning shoppers' data."""
