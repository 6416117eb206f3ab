"""The proof of an order: what was promised for each bundle, what was charged, and why the two differ."""
