"""A stranger who has the network: memory, processor, addresses, and what responses tell."""
