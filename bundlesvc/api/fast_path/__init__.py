"""The fast path, which answers requests before they reach the application."""
