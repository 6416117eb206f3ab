"""A shop page for the engine."""
