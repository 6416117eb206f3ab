"""Services behind the tools for shopping assistants alone: describing a bundle, and checking a selection (docs/agents.md)."""
