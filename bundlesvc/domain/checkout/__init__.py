"""Turns a configured bundle into a discount in the cart: the discount string and the cart-transform step."""
