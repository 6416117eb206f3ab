"""The price of a selection, at home and in the currency of a market."""
