"""Completion: what a request for the nearest or cheapest selection reads, and how its search runs."""
