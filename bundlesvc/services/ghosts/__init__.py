"""Ghost variants: made when a bundle is configured, kept at the right price, and retired."""
