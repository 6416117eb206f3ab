"""A shop page over the engine."""
