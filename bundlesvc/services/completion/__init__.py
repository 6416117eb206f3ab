"""Completion: what a request for the nearest or cheapest selections reads, and how the search runs."""
