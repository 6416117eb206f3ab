"""The management API, for the shop's own servers (docs/orders.md). Browsers do not let web pages read its responses."""
