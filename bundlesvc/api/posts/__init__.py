"""The shared parts of POST endpoints that are implemented by a single function, both on the fast path and in the application: the
request, the response, and idempotency."""
