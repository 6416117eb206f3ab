"""Ghost variants: created when a bundle is configured, kept at the right price, and later retired."""
