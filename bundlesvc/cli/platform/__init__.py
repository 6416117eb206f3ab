"""The commands `bundlesvc platform`, and what other commands need of a live platform."""
