"""Runs the service under everything at once, for minutes (`scripts/soak`), and says which of its promises hold."""
