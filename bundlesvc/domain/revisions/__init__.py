"""Revisions: the content of a shop as plain data, the differences between two revisions, and the merging of two sets of
changes."""
