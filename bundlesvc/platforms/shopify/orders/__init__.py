"""Reads the orders of shops on Shopify, for the orders capability."""
