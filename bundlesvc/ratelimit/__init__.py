"""Token buckets."""
