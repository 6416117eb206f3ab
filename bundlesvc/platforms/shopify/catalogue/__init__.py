"""Reads a shop's settings, products, prices, markets and translations, and writes its ghost variants."""
