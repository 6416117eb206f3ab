"""The error raised when a process refuses to start."""


class StartRefused(Exception):
    """Raised when the service cannot start. The message says why, and how to fix it."""
