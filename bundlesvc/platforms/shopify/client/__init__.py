"""Calls to the Admin API: transport, retries, throttling, circuit breaker, access tokens."""
