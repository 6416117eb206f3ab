"""Access control: API keys, page origins, callers and visitors."""
