"""The commands `bundlesvc db`."""
