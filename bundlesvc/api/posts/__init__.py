"""The parts that POST endpoints share: the request, the response, and idempotency. Prices and configured bundles are each the
work of one function, which is used both on the fast path and in the application."""
