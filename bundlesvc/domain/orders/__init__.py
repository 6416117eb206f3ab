"""Shoppers' purchases: the record of an order, its check against the promises, and the value of returned units."""
