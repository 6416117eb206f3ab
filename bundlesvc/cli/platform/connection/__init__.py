"""A shop's connection to its live platform: opened, checked, and its credentials and secrets."""
