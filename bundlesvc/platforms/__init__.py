"""Commerce platforms that a shop's products come from: the embedded one, and live ones."""
