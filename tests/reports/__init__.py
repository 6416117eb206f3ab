"""Measures how long reports over a year of trading take: `python -m tests.reports`."""
