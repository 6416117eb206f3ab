"""Storage for what shop files describe (shops, bundles, products), and how loading a shop file writes it."""
