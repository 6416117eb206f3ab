"""Runs a service process: startup checks, sockets, workers, logging, and garbage collection."""
