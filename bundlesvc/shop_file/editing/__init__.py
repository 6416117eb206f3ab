"""Edits a shop file in place: only the lines that differ change; comments, order, quotation marks and blank lines stay."""
