"""The command for A/B tests."""
