"""Turns a configured bundle into a discount in the cart, by means of the discount string and the cart-transform step."""
