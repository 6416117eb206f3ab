"""The cache of rendered responses to GETs."""
