"""Accepts connections for only a short time before other work continues. Under overload, uvloop would keep accepting connections
as long as new ones arrive, and asyncio would accept the whole backlog in one go; meanwhile, no client would get a response.

Processes share the listening socket. A process that accepted a whole burst of connections would later answer all of their
requests, and the other processes none (docs/decisions/0052-connections-one-by-one.md)."""

import asyncio
import errno
import select
import socket
import time
from typing import TYPE_CHECKING, Any, cast

from aiohttp import web

from bundlesvc.api.server.pending_connections import refused_at_once

if TYPE_CHECKING:
    from bundlesvc.api.server.connections import ConnectionServer

ACCEPT_SHARE, MAX_SECONDS = 0.5, 0.02
"""Limits on the time for accepting connections: a share of the time for which connections waited while the loop was busy with
other work, but never more than `MAX_SECONDS`. At least one connection is always accepted."""

OPENING_SECONDS = 0.0001
"""Approximate time to open a connection, in seconds. Most of it is spent after the connection was accepted."""

EXHAUSTED_SECONDS = 1.0
"""Seconds to pause when the process has no descriptors or memory left for connections."""

_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class AcceptingSite(web.BaseSite):
    """A listening socket of a runner, which accepts connections a few at a time."""

    def __init__(self, runner: web.BaseRunner, listening: socket.socket) -> None:
        super().__init__(runner)
        self._service = runner
        self._listening = listening
        self._loop = asyncio.get_running_loop()
        self._opening: set[asyncio.Task[Any]] = set()
        self._open = False
        self._poll = select.poll()
        self._poll.register(listening, select.POLLIN)
        self._left_at: float | None = None
        """When connections were last left in the backlog; None if none was left."""

    @property
    def name(self) -> str:
        host, port, *_ = self._listening.getsockname()
        return f"http://{host}:{port}"

    async def start(self) -> None:
        await super().start()
        self._listening.setblocking(False)  # noqa: FBT003 - a positional-only parameter
        self._open = True
        self._resume()

    async def stop(self) -> None:
        await super().stop()
        self._open = False
        self._loop.remove_reader(self._listening)
        self._listening.close()
        await asyncio.gather(*self._opening, return_exceptions=True)

    def _resume(self) -> None:
        if self._open:
            self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        """Accept a connection, and as many more as there is time for."""
        now = time.perf_counter()
        seconds = 0.0 if self._left_at is None else min((now - self._left_at) * ACCEPT_SHARE, MAX_SECONDS)
        end, most = now + seconds, max(seconds / OPENING_SECONDS, 1)
        self._left_at = None
        opening = 0
        while opening < most and now <= end:
            try:
                connection, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _EXHAUSTED:
                    raise
                self._loop.remove_reader(self._listening)
                self._loop.call_later(EXHAUSTED_SECONDS, self._resume)
                return
            opening += self._take(connection)
            now = time.perf_counter()
        if self._poll.poll(0):
            self._left_at = now

    def _take(self, connection: socket.socket) -> bool:
        """Start serving an accepted connection. Returns False when the server is too full and refuses the connection."""
        server = cast("ConnectionServer", self._service.server)
        connection.setblocking(False)  # noqa: FBT003 - a positional-only parameter
        if server.is_full() and refused_at_once(connection, server):
            return False
        task = self._loop.create_task(self._loop.connect_accepted_socket(server, connection))
        self._opening.add(task)
        task.add_done_callback(self._opened)
        return True

    def _opened(self, task: asyncio.Task[Any]) -> None:
        self._opening.discard(task)
        if not task.cancelled():
            task.exception()  # the client has disconnected
