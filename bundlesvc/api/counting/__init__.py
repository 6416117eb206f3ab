"""What the service counts of requests."""
