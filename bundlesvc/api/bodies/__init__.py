"""Request bodies: size limits, the memory they may use, and how they are read."""
