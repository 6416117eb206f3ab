"""Failures of Redis."""
