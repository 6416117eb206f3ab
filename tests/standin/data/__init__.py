"""A shop of the platform as plain data: products, prices, carts, orders, and the objects that its app has created."""
