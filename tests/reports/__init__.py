"""How long reports take with a year of trading: `python -m tests.reports`."""
