"""The commands of `bundlesvc platform`, and the live-platform code that other commands share."""
