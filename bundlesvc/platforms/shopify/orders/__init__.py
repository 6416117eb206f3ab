"""Orders of shops on Shopify, read for the orders capability."""
