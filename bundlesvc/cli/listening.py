"""Where the service listens, and the application on it: the same whether one process serves or several."""

import logging
import resource
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress

from aiohttp import web

from bundlesvc.api.server import ServiceRunner

logger = logging.getLogger("bundlesvc")

BACKLOG = 1024
"""So many clients may wait to be taken in."""


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
    """Let this process, and those that it starts, open as many files as the host allows: every connection is one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # some hosts name a limit that cannot be set
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@asynccontextmanager
async def serving(app: web.Application, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """While the context lasts, requests are answered. At its end no new ones are taken, and those under way are finished."""
    runner = ServiceRunner(app)
    try:
        await runner.setup()
        for each in sockets:
            await web.SockSite(runner, each, backlog=BACKLOG).start()
        yield
        logger.info("stopping: requests under way are finished first")
        await runner.drain()
    finally:
        await runner.cleanup()
