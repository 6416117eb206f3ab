"""Orders of the engine: what they charge, and what changes them."""
