"""Sends events over HTTP, and counts the results."""
