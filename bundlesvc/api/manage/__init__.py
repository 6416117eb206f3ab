"""The management API, for servers of the shop (docs/orders.md): no page of a browser may read its responses."""
