"""The cache around live platforms (docs/contract.md#live-data)."""
