"""What those who can do without Redis need to know about it. Its client is imported only where a Redis is configured: that
takes a tenth of the time of a start."""

PREFIX = "bundlesvc:"
"""The prefix of all our keys."""


class RedisUnavailable(Exception):
    """Redis cannot be used now; the caller continues without it."""
