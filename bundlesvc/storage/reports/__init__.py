"""Adds up stored rows for reports."""
