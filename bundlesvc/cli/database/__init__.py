"""The commands of `bundlesvc db`."""
