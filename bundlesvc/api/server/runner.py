"""The HTTP server around the application: it starts, serves, and stops without dropping any request."""

import asyncio
from contextlib import suppress

from aiohttp import web

from bundlesvc.api.aiohttp_internals import RunnerInternals
from bundlesvc.api.app_keys import STATISTICS
from bundlesvc.api.fast_path.pipeline import FAST_PATH
from bundlesvc.api.middleware.observation import RECORD
from bundlesvc.api.server.connection_limits import CONNECTION_LIMITS
from bundlesvc.api.server.connections import ConnectionServer

STOP_SECONDS = 25
"""Seconds from the stop signal until the last request must have finished. Hosts kill the process soon afterwards."""

_POLL_SECONDS = 0.02


class ServiceRunner(RunnerInternals):
    """Runs the application without aiohttp's access log, because the application writes its own log lines at lower cost."""

    def __init__(self, app: web.Application) -> None:
        super().__init__(app, access_log=None, shutdown_timeout=1)

    async def drain(self, delay: float, at_once: asyncio.Event) -> None:
        """Stop in three steps. First, continue to accept connections for `delay` seconds, or until `at_once` is set, so that a
        load balancer can notice: /readyz responds with 503, and each response closes its connection. Then stop accepting
        connections. Finally, let the requests in flight finish, even those whose bodies are still arriving, which aiohttp's own
        shutdown would stop reading."""
        traffic = self.app[STATISTICS]
        traffic.draining = True
        end = asyncio.get_running_loop().time() + STOP_SECONDS
        with suppress(TimeoutError):
            async with asyncio.timeout(delay):
                await at_once.wait()
        for site in list(self.sites):
            await site.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(end):
                while traffic.under_way:  # noqa: ASYNC110 - polled, so that requests need not notify anyone
                    await asyncio.sleep(_POLL_SECONDS)

    def server_around(self, plain: web.Server) -> web.Server:
        app = self.app
        return ConnectionServer(plain, app[CONNECTION_LIMITS], app[RECORD], app.get(FAST_PATH))
