"""Ghost variants: their identity, state and prices."""
