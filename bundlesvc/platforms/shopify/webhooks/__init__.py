"""What shops send: webhooks of changes and orders, and requests about shoppers' data."""
