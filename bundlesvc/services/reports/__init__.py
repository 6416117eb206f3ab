"""The use case of reports."""
