"""Definitions for modules that also work without Redis. The client library is slow to import, and is imported only where Redis is
configured."""

PREFIX = "bundlesvc:"
"""The prefix of all our keys."""


class RedisUnavailable(Exception):
    """Raised while Redis cannot be used. The caller continues without it."""
