"""Data about a shop's live platform: the connection, readings and changes."""
