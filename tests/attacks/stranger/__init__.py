"""Attacks by a stranger with network access, on memory, processor time, addresses, and what responses reveal."""
