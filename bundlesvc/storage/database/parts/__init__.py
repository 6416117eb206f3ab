"""Reads and deletes many rows in batches, so that no other caller waits for long."""
