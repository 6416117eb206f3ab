"""Data about a shop's live platform: the connection, fetched values and changes."""
