"""The HTTP server around the application: connections, their limits, overload, start and stop."""
