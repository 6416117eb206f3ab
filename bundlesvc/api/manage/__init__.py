"""The management API, for the shop's own servers (docs/orders.md). Browsers may not read its responses from a page."""
