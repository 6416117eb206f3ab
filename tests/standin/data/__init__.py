"""A shop on the platform as plain data: products, prices, carts, orders, and the objects that the shop's app has created."""
