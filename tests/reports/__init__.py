"""Measures how long reports on a year of sales take: `python -m tests.reports`."""
