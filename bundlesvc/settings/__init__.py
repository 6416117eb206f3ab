"""The settings, read from the environment, typed and validated."""
