"""Request bodies: their limits, the memory for them, and how they are read."""
