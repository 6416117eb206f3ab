"""The results of A/B tests in the management API."""
