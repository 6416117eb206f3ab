"""Counts of the requests that the service handles."""
