"""Limits on how much of a process's resources client connections may use."""

from dataclasses import dataclass

from aiohttp import web


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits on connections: their number, times in seconds, and rates in bytes per second. After `header_seconds`, a body must
    have arrived at `body_rate` or faster over the last two seconds, and it must be complete within `body_seconds`. A response
    must be read within `body_seconds`. At most `requests` requests may be in progress simultaneously."""

    requests: int = 500
    most: int = 2000
    header_seconds: float = 10
    body_seconds: float = 60
    body_rate: float = 1000
    keepalive_seconds: float = 75


CONNECTION_LIMITS = web.AppKey("connection_limits", ConnectionLimits)
