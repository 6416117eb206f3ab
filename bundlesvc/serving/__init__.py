"""Running a service process: checks before the start, sockets, workers, the log, garbage collection."""
