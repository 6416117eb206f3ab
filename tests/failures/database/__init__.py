"""Failures of the database."""
