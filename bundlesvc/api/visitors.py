"""Determines the address of the visitor who sent a request, even when the request came through trusted proxies."""

import logging

from aiohttp import hdrs, web
from multidict import MultiMapping

from bundlesvc.domain.access.visitor import is_local, visitor_of

logger = logging.getLogger(__name__)


class Visitors:
    """Finds the addresses of visitors behind trusted proxies. Warns once when a missing setting makes all visitors share one
    address."""

    def __init__(self, trusted_proxies: int) -> None:
        self._trusted_proxies = trusted_proxies
        self._warned = False

    def of(self, remote: str | None, headers: MultiMapping[str]) -> str:
        """Return the address of the visitor who sent a request with these headers, on a connection from `remote`."""
        forwarded_for = headers.getall(hdrs.X_FORWARDED_FOR, [])
        peer = remote or ""
        if forwarded_for and not self._trusted_proxies and not self._warned and is_local(peer):
            self._warn()
        return visitor_of(peer, forwarded_for, self._trusted_proxies)

    def _warn(self) -> None:
        self._warned = True
        logger.warning(
            "Requests come through a proxy, but BUNDLESVC_TRUSTED_PROXIES is 0: all visitors count as one and share its limits."
        )


VISITORS = web.AppKey("visitors", Visitors)
