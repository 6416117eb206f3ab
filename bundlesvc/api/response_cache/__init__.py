"""The cache of rendered responses to GET requests."""
