"""The address at which a client reached the service: the origin (scheme and host) for absolute URLs in responses.

A client may send any host. Responses are cached for only a few hosts at a time, so that made-up hosts do not fill the cache.
"""

import re
import time
from collections import OrderedDict

from aiohttp import hdrs, web

FORWARDED_PROTO = hdrs.X_FORWARDED_PROTO

MAX_ADDRESSES = 16
IDLE_SECONDS = 60.0

_HOST = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?\Z", re.ASCII)


class OwnAddresses:
    """Reads the service's own address from requests. A host or `X-Forwarded-Proto` that a client invents appears only in the
    responses to that client."""

    def __init__(self) -> None:
        self._used_at: OrderedDict[str, float] = OrderedDict()

    def of(self, request: web.Request) -> str:
        """Return the origin of a request, for example `https://bundles.example`, or "" when the host is missing or malformed."""
        host = request.headers.get(hdrs.HOST, "")
        if not _HOST.match(host):
            return ""
        forwarded = request.headers.get(FORWARDED_PROTO)
        return f"{forwarded if forwarded in ('http', 'https') else request.scheme}://{host.lower()}"

    def is_cached(self, origin: str, now: float | None = None) -> bool:
        """Whether to cache responses for this origin. When the table is full, a new origin can replace only an origin that has
        been unused for `IDLE_SECONDS`."""
        now = time.monotonic() if now is None else now
        if origin not in self._used_at and len(self._used_at) >= MAX_ADDRESSES:
            oldest, used_at = next(iter(self._used_at.items()))
            if now - used_at < IDLE_SECONDS:
                return False
            del self._used_at[oldest]
        self._used_at[origin] = now
        self._used_at.move_to_end(origin)
        return True


def absolute(address: str, origin: str) -> str:
    """Make a URL absolute if it is a path on this service or lacks a scheme."""
    if not origin or not address.startswith("/"):
        return address
    return origin.partition("//")[0] + address if address.startswith("//") else origin + address
