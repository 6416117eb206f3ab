"""The shared parts of POST endpoints that a single function answers, both on the fast path and in the application: the request,
the response, and idempotency."""
