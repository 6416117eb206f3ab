"""Configured bundles, the selections in them, and the responses stored under idempotency keys."""
