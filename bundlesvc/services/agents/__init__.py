"""The use cases that only shopping assistants need (docs/agents.md)."""
