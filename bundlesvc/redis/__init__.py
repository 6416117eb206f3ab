"""The connection to Redis, shared by rate limits and the cache."""
