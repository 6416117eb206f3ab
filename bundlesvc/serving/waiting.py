"""Waits at startup for a PostgreSQL server that is not reachable yet, while responding to requests on the service's address."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from aiohttp import web

from bundlesvc.api.errors import OWN_HEADERS, server_response
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.serving.listening import BACKLOG, StopSignals
from bundlesvc.storage.database.health.causes import cause
from bundlesvc.storage.database.postgresql.failures import may_come

logger = logging.getLogger("bundlesvc")

RETRY_SECONDS = 1.0


async def wait_for_database(
    attempt: Callable[[], Awaitable[None]], sockets: Sequence[socket.socket], address: str, failure: StorageUnavailable
) -> bool:
    """Call `attempt` until it succeeds. Returns False when a signal stops the process first. Raises StorageUnavailable for
    failures that waiting cannot fix, such as a wrong password."""
    signals = StopSignals()
    async with _responding(sockets):
        logger.warning("listening on %s without the database (%s): waiting for it", address, cause(failure))
        attempts = asyncio.create_task(_attempt_until_done(attempt))
        stopped = asyncio.create_task(signals.stop.wait())
        try:
            await asyncio.wait((attempts, stopped), return_when=asyncio.FIRST_COMPLETED)
            if not attempts.done():
                return False
            attempts.result()
        finally:
            for task in (attempts, stopped):
                task.cancel()
            await asyncio.gather(attempts, stopped, return_exceptions=True)
    logger.info("the database responds.")
    return True


async def _attempt_until_done(attempt: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            return await attempt()
        except StorageUnavailable as failure:
            if not may_come(failure):
                raise
        await asyncio.sleep(RETRY_SECONDS)


@asynccontextmanager
async def _responding(sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """Respond to requests on copies of the sockets. The original sockets stay open for the service. A client that connects after
    this responder has stopped and before the service starts therefore waits only a moment."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", _respond)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        for each in sockets:
            await web.SockSite(runner, each.dup(), backlog=BACKLOG).start()
        yield
    finally:
        await runner.cleanup()


async def _respond(request: web.Request) -> web.Response:
    if request.path == "/healthz":
        response = web.json_response({"status": "ok"}, headers=dict(OWN_HEADERS))
    else:
        response = server_response(StorageUnavailable())
    response.force_close()
    return response
