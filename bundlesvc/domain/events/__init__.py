"""Events for a shop's own servers: what they contain, how they are signed, and when a delivery is tried again."""
