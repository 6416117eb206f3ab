"""Who may call: keys, the origins of pages, callers, visitors."""
