"""The refusal to start a process."""


class StartRefused(Exception):
    """The service cannot start. The message says why, and how to fix it."""
