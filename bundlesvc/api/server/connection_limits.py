"""Limits on what a client may occupy of a process with its connections."""

from dataclasses import dataclass

from aiohttp import web


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits on connections: their number, times in seconds, and rates in bytes per second. A body may take `header_seconds`;
    after that, `body_rate` bytes a second must have come in the last two seconds, and all of it within `body_seconds`; a
    response must be read within `body_seconds`. `requests` may be under way at once."""

    requests: int = 500
    most: int = 2000
    header_seconds: float = 10
    body_seconds: float = 60
    body_rate: float = 1000
    keepalive_seconds: float = 75


CONNECTION_LIMITS = web.AppKey("connection_limits", ConnectionLimits)
