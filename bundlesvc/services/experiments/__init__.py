"""Use cases that compute the results of A/B tests."""
