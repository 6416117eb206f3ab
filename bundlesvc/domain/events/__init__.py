"""Events for a shop's own servers: what they contain, how they are signed, and when a failed delivery is retried."""
