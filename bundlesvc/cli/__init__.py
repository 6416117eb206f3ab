"""The commands of `bundlesvc`."""
