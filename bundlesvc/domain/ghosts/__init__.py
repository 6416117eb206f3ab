"""Ghost variants: identity, state, prices."""
