"""What the service knows of a shop's live platform: the connection, readings and changes."""
