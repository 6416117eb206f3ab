"""Configured bundles, and the responses stored under idempotency keys."""
