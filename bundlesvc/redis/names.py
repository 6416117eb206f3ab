"""Names for modules that can do without Redis. The client library is slow to import, and is imported only where a Redis is
configured."""

PREFIX = "bundlesvc:"
"""The prefix of all our keys."""


class RedisUnavailable(Exception):
    """Redis cannot be used now; the caller continues without it."""
