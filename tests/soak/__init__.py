"""A soak test: runs the service for minutes under every kind of load and failure (`scripts/soak`), and reports which of its
promises hold."""
