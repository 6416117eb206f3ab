"""POSTs that a single function answers, both on the fast path and in the application: request, response, idempotency."""
