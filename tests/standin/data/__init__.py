"""A shop of the platform as plain data: products, prices, carts, orders, and what its app has put into it."""
