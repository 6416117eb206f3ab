"""Commerce platforms that a shop's products come from."""
