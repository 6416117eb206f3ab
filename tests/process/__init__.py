"""The service as its operators run it: in separate processes, on a real port, with a real database file."""
