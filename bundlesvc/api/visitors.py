"""The visitor behind a request, and a warning where a forgotten setting makes all visitors one."""

import logging

from aiohttp import hdrs, web

from bundlesvc.domain.visitor import is_local, visitor_of

logger = logging.getLogger(__name__)


class Visitors:
    """Tells visitors apart, behind this many trusted proxies."""

    def __init__(self, trusted_proxies: int) -> None:
        self._trusted_proxies = trusted_proxies
        self._warned = False

    def of(self, request: web.Request) -> str:
        forwarded_for = request.headers.getall(hdrs.X_FORWARDED_FOR, [])
        peer = request.remote or ""
        if forwarded_for and not self._trusted_proxies and not self._warned and is_local(peer):
            self._warn()
        return visitor_of(peer, forwarded_for, self._trusted_proxies)

    def _warn(self) -> None:
        self._warned = True
        logger.warning(
            "Requests come through a proxy, but BUNDLESVC_TRUSTED_PROXIES is 0: all visitors count as one and share its limits."
        )
