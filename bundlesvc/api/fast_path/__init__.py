"""What answers requests before the application does."""
