"""Shoppers' purchases: the record of an order, its proof against the promises, and the value of returned units."""
