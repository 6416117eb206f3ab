"""The command `bundlesvc init`, and the templates of its files."""
