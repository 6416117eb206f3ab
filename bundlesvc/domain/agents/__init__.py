"""A bundle's rules in English sentences, for shopping assistants (docs/agents.md)."""
