"""Opens listening sockets, and serves the application on them in one process or several."""

import asyncio
import logging
import resource
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from typing import NamedTuple

from aiohttp import web

from bundlesvc.api.app_keys import METRICS
from bundlesvc.api.server.accept_loop import AcceptingSite
from bundlesvc.api.server.runner import ServiceRunner
from bundlesvc.serving.background import periodically
from bundlesvc.serving.garbage import GROWN_SECONDS, NEW_SECONDS, Collection, collected_seldom
from bundlesvc.serving.metrics_port import metrics_on

logger = logging.getLogger("bundlesvc")

BACKLOG = 4096
"""The maximum number of connections that may wait to be accepted. Further clients retry after a second or more."""


def listen(host: str, port: int) -> list[socket.socket]:
    """Open a listening socket for every address of the host. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    with ExitStack() as opened:
        sockets = [
            opened.enter_context(socket.create_server(address, family=family, backlog=BACKLOG))
            for family, _, _, _, address in found
        ]
        opened.pop_all()
    return sockets


def raise_descriptor_limit() -> None:
    """Let this process and its children open as many files as the host allows, because each connection uses one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # some hosts report a limit that cannot be set
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Sockets(NamedTuple):
    """The listening sockets of the service, and those of the separate metrics port."""

    api: Sequence[socket.socket]
    metrics: Sequence[socket.socket] = ()


class StopSignals:
    """Handles the signals that stop the process. SIGTERM stops it after the delay that load balancers need; SIGINT, SIGQUIT or a
    second SIGTERM stops it without that delay."""

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.at_once = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._terminate)
        for number in (signal.SIGINT, signal.SIGQUIT):
            loop.add_signal_handler(number, self._interrupt)

    def _terminate(self) -> None:
        if self.stop.is_set():
            self.at_once.set()
        self.stop.set()

    def _interrupt(self) -> None:
        self.stop.set()
        self.at_once.set()


@asynccontextmanager
async def serving(
    app: web.Application, sockets: Sockets, stop_delay: float, signals: StopSignals
) -> AsyncIterator[None]:
    """Serve requests while the context lasts. On exit, wait `stop_delay` seconds unless a signal ends the wait, then accept no
    more connections and finish the requests in progress."""
    runner = ServiceRunner(app)
    async with AsyncExitStack() as opened:
        opened.push_async_callback(runner.cleanup)
        with collected_seldom():
            await runner.setup()
            for each in sockets.api:
                await AcceptingSite(runner, each).start()
            if sockets.metrics:
                await opened.enter_async_context(metrics_on(sockets.metrics, app[METRICS]))
        collection = Collection()
        await opened.enter_async_context(periodically("collection of new garbage", NEW_SECONDS, collection.look_at_new))
        await opened.enter_async_context(periodically("garbage collection", GROWN_SECONDS, collection.look))
        yield
        logger.info("stopping: finishing the requests in progress")
        await runner.drain(stop_delay, signals.at_once)
