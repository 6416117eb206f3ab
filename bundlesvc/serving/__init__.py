"""Runs a service process: checks before the start, sockets, workers, logging, and garbage collection."""
