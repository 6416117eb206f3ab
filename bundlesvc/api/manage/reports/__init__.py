"""Reports in the management API."""
