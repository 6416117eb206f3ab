"""Reads and deletes many rows in parts, so that no other caller waits for long."""
