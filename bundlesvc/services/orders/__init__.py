"""Orders: taking them in, judging and listing them, and quoting refunds."""
