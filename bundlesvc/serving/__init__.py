"""How a process is served: checks before the start, sockets, workers, the log, garbage collection."""
