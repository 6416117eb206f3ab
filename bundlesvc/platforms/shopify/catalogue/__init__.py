"""What is read of a shop: products, prices, markets, translations."""
