"""The commands for a shop's API keys and their usage."""
