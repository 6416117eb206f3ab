"""Failures of the service's dependencies, tested with real servers: what clients see, and how few calls the platform receives."""
