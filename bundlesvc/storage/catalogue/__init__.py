"""What shop files describe, as stored: shops, bundles, products, and how a load writes them."""
