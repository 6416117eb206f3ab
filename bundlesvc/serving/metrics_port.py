"""The separate port that serves only metrics."""

import asyncio
import socket
from asyncio import Transport
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import hdrs, web
from aiohttp.web_protocol import RequestHandler

from bundlesvc.api.errors import OWN_HEADERS, server_response
from bundlesvc.api.keyless_routes import METRICS_PATH
from bundlesvc.domain.errors import NotFound
from bundlesvc.metrics.page import CONTENT_TYPE, MetricsPage

MAX_CONNECTIONS = 32
"""The maximum number of open connections, far more than there are scrapers. A further connection replaces the oldest."""

_PAUSE_SECONDS = 1.0
"""Seconds to pause when no descriptor is left for a connection."""


@asynccontextmanager
async def metrics_on(sockets: Sequence[socket.socket], page: MetricsPage) -> AsyncIterator[None]:
    """Serve the metrics on these listening sockets, which are closed when the context ends."""

    async def respond(request: web.BaseRequest) -> web.Response:
        if request.path != METRICS_PATH or request.method not in (hdrs.METH_GET, hdrs.METH_HEAD):
            return server_response(NotFound())
        return web.Response(body=page.for_scrape(), headers={hdrs.CONTENT_TYPE: CONTENT_TYPE, **dict(OWN_HEADERS)})

    server = _Server(respond, access_log=None)
    accepting = [asyncio.create_task(_accept(each, server), name="metrics port") for each in sockets]
    try:
        yield
    finally:
        for task in accepting:
            task.cancel()
        await asyncio.gather(*accepting, return_exceptions=True)
        server.pre_shutdown()
        await server.shutdown(timeout=1)


async def _accept(listening: socket.socket, server: web.Server) -> None:
    """Accept connections one at a time. By default, an event loop accepts all waiting connections before it closes any."""
    loop = asyncio.get_running_loop()
    with listening:
        listening.setblocking(False)  # noqa: FBT003 - a positional-only parameter
        while True:
            try:
                connection, _ = await loop.sock_accept(listening)
                await loop.connect_accepted_socket(server, connection)
            except OSError:
                await asyncio.sleep(_PAUSE_SECONDS)


class _Server(web.Server):
    """A server that closes its oldest connection when too many are open."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._open: dict[RequestHandler, Transport] = {}

    def connection_made(self, handler: RequestHandler, transport: Transport) -> None:
        super().connection_made(handler, transport)
        self._open[handler] = transport
        if len(self._open) > MAX_CONNECTIONS:
            self._open.pop(next(iter(self._open))).abort()

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        super().connection_lost(handler, exc)
        self._open.pop(handler, None)
