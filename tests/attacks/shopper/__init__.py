"""A shopper with a cart who wants to pay less."""
