"""Completion: the nearest or cheapest selection that the rules allow."""
