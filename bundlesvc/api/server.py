"""The HTTP server around the application: it starts, serves, and ends without dropping anyone."""

import asyncio
from contextlib import suppress

from aiohttp import web

from bundlesvc.api.app_keys import CONNECTION_LIMITS, STATISTICS
from bundlesvc.api.connections import ConnectionServer
from bundlesvc.api.edge import EDGE
from bundlesvc.api.posts import POSTS

STOP_SECONDS = 25
"""How long requests under way may take once the process is told to stop: hosts kill after thirty seconds."""

_POLL_SECONDS = 0.02


class ServiceRunner(web.AppRunner):
    """Runs the application, without aiohttp's access log: the application writes a line of its own, cheaper."""

    def __init__(self, app: web.Application) -> None:
        super().__init__(app, access_log=None, shutdown_timeout=1)

    async def drain(self) -> None:
        """Take no new connections, and let the requests under way finish, those too whose body is still on its way: aiohttp's
        own shutdown would stop reading it."""
        for site in list(self.sites):
            await site.stop()
        traffic = self.app[STATISTICS]
        traffic.draining = True
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                while traffic.under_way:  # noqa: ASYNC110 - asked seldom, so that requests need not tell
                    await asyncio.sleep(_POLL_SECONDS)

    async def _make_server(self) -> web.Server:
        app, plain = self.app, await super()._make_server()
        if POSTS in app:
            plain.request_handler = app[POSTS].around(plain.request_handler)
        return ConnectionServer(plain, app[CONNECTION_LIMITS], app[STATISTICS], app.get(EDGE))
