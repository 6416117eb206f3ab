"""Storage of what shop files describe (shops, bundles, products), and how a load writes it."""
