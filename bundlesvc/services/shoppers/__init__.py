"""What the service does for single shoppers, and with their data."""
