"""Finds, watches, merges and loads the shop files that a command is given."""
