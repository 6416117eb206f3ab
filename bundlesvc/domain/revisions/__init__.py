"""Revisions: the content of a shop as plain data, what differs between two, and how two changes of it are merged."""
