"""Orders in the management API."""
