"""The command about A/B tests."""
