"""A stranger with network access: memory, processor time, addresses, and what responses reveal."""
