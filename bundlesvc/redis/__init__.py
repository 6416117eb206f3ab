"""The connection to Redis, which rate limits and the cache share."""
