"""Shop files of a command: found, watched, merged with what the shop has, and loaded."""
