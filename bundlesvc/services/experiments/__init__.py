"""The use cases of the results of A/B tests."""
