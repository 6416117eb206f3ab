"""The cache around live platforms (design 13)."""
