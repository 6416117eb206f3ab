"""The parts that POST endpoints share: the request, the response, and idempotency. A single function implements each of these
endpoints, both on the fast path and in the application."""
