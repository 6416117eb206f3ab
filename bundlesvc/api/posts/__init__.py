"""POSTs that one function answers, both on the fast path and in the application: request, response, idempotency."""
