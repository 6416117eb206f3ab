"""Services that only the tools for shopping assistants use: describing a bundle, and checking a selection (docs/agents.md)."""
