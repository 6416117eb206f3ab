"""Orders: receives, judges and lists them, and quotes refunds."""
