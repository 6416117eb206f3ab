"""Commands that print reports."""
