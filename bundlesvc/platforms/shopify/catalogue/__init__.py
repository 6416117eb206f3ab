"""Reads from a shop: products, prices, markets, translations."""
