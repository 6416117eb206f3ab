"""A bundle's rules as English sentences, for shopping assistants (docs/agents.md)."""
