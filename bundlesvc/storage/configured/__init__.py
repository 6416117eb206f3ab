"""Configured bundles, their selections, and the responses stored under idempotency keys."""
