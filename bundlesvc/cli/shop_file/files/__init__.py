"""Finds, watches, merges and loads the shop files of a command."""
