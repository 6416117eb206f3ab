"""The price of a selection, in the shop's own market and in the currency of another market."""
