"""The bodies of requests: their limits, the memory for them, and their reading."""
