"""The HTTP server around the application: connections and their limits, overload, start and shutdown."""
