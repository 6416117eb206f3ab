"""Redis fails."""
