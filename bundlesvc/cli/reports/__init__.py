"""The commands that print reports."""
