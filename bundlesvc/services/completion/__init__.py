"""Completion: reads the data needed to find the nearest or cheapest selections, and runs the search."""
