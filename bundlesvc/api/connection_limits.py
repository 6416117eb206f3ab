"""What clients may hold of a process, and for how long."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Connections at once, seconds, and bytes a second. A body may take `header_seconds`, and a second more for each
    `body_rate` bytes that came, up to `body_seconds`; a response must be read within `body_seconds`."""

    most: int = 2000
    header_seconds: float = 10
    body_seconds: float = 60
    body_rate: float = 1000
    keepalive_seconds: float = 75
