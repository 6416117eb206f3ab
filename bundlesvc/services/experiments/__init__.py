"""Collects exposures to the arms of A/B tests, and computes the results of the tests."""
