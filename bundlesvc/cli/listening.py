"""Listening sockets, and serving the application on them, in one process or in several."""

import logging
import resource
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress

from aiohttp import web

from bundlesvc.api.server import ServiceRunner

logger = logging.getLogger("bundlesvc")

BACKLOG = 1024
"""Clients that may wait to be accepted."""


def listen(host: str, port: int) -> list[socket.socket]:
    """A listening socket for every address of the host. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    with ExitStack() as opened:
        sockets = [
            opened.enter_context(socket.create_server(address, family=family, backlog=BACKLOG))
            for family, _, _, _, address in found
        ]
        opened.pop_all()
    return sockets


def raise_descriptor_limit() -> None:
    """Let this process and its children open as many files as the host allows, because every connection is one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # some hosts report a limit that cannot be set
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@asynccontextmanager
async def serving(app: web.Application, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """Serve requests while the context lasts. At its end, accept no more, and finish those in progress."""
    runner = ServiceRunner(app)
    try:
        await runner.setup()
        for each in sockets:
            await web.SockSite(runner, each, backlog=BACKLOG).start()
        yield
        logger.info("stopping: finishing the requests in progress")
        await runner.drain()
    finally:
        await runner.cleanup()
