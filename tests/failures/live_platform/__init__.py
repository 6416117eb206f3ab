"""Failures of the live platform in every state of the cache, and the number of calls that the platform receives."""
