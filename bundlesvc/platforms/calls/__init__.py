"""Calls to shops on any live platform: HTTP, retries, circuit breaker, deadline, statistics."""
