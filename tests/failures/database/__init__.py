"""The database fails."""
