"""Connections and their limits: how many there may be, and how long a client may take. A client that sends or reads nothing
holds a descriptor and memory; one look a second at all connections finds it, which costs a request nothing."""

import errno
import logging
import os
import resource
from asyncio import BaseTransport, Transport
from collections.abc import Coroutine
from enum import IntEnum
from typing import Any, cast

from aiohttp import web
from aiohttp.http import RawRequestMessage
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.streams import EMPTY_PAYLOAD
from aiohttp.web_protocol import RequestHandler

from bundlesvc.api.bodies import ConnectionLimits, SlowBodyError
from bundlesvc.api.edge import Edge
from bundlesvc.api.errors import CODE, server_response
from bundlesvc.api.posts import Posts
from bundlesvc.api.statistics import RequestStatistics
from bundlesvc.domain.errors import BundlesvcError, InvalidRequest, Overloaded

logger = logging.getLogger("bundlesvc")

SWEEP_SECONDS = 1.0
LINGER_SECONDS = 2
"""How long a client may go on sending a body after its response, so that it can read the response before the end."""

STALLED_SECONDS = 5
"""After that a connection whose body or response is still on its way may be closed for a new one."""

SPARE_CONNECTIONS = 32
"""Connections beyond the limit. They serve `HEALTH`, so that a full process is not taken for a dead one."""

HEALTH = "/healthz"
OTHER_DESCRIPTORS = 200
"""Descriptors for everything that is not a client: database, Redis, platforms, files."""

CALM_SECONDS = 10
"""When no connection had to be closed for so long, there is room again."""


class _Phase(IntEnum):
    WAITING, BODY, WORKING, SENDING = range(4)


class Connection(RequestHandler):
    """A client's connection. Bytes that are not HTTP are the client's fault: 400, and no traceback in our log."""

    __slots__ = ("_edge", "_remote", "_server", "_since", "_state")

    def connection_made(self, transport: BaseTransport) -> None:
        server = self._server = cast("ConnectionServer", self._manager)
        self._state, self._since = (_Phase.WAITING, 0), self._loop.time()
        self._edge = server.edge
        self._remote = _address(transport.get_extra_info("peername"))
        if server.admit(self, cast("Transport", transport)):
            super().connection_made(transport)
        else:
            cast("Transport", transport).abort()

    def data_received(self, data: bytes) -> None:
        """Let the edge see the requests that come while none is under way, before the task of the application wakes up."""
        waiter, edge = self._waiter, self._edge
        if edge is None or waiter is None or waiter.done():
            super().data_received(data)
            return
        self._waiter = None
        try:
            super().data_received(data)
        finally:
            self._waiter = waiter
        if self._messages and not self._upgraded and not self._buffer_paused:
            self._answer_from(edge)
        if self._messages:
            waiter.set_result(None)

    def _answer_from(self, edge: Edge) -> None:
        """Answer requests in their order, until one must be handed on."""
        messages, remote, posts = self._messages, self._remote, self._server.posts
        while messages and not self._paused and (transport := self.transport) and self._parser:
            message, payload = messages[0]
            if not isinstance(message, RawRequestMessage) or transport.is_closing():
                return
            if payload is EMPTY_PAYLOAD:
                chunks = edge.answer(message, remote)
            else:
                chunks = None if posts is None else posts.answer(message, payload, remote)
            if chunks is None:
                return
            messages.popleft()
            self._parser.message_consumed()
            transport.writelines(chunks)
            self._server.requests_count += 1
        if self._keepalive_handle is not None:  # the application has answered here before
            self._next_keepalive_close_time = self._loop.time() + self._keepalive_timeout

    def serve_only_health(self) -> None:
        self._edge = None
        self._request_handler = cast("ConnectionServer", self._manager).answer_health

    def look(self, now: float) -> None:
        """Note since when the connection is in its phase: of the same request, the one that is being answered."""
        state = (self._phase(), self._request_count - len(self._messages))
        if state != self._state:
            self._state, self._since = state, now

    def overdue(self, now: float, limits: ConnectionLimits) -> str | None:
        """What the client has taken too long for."""
        phase, begun = self._state
        if phase is _Phase.WAITING:
            name, allowed = ("keepalive", limits.keepalive_seconds) if begun else ("header", limits.header_seconds)
        elif phase is _Phase.BODY and self._current_request is not None:
            if self._current_request.content.exception() is not None:
                return None
            earned = limits.header_seconds + self._current_request.content.total_bytes / limits.body_rate
            name, allowed = "body", min(earned, limits.body_seconds)
        elif phase is _Phase.SENDING:
            name, allowed = "response", limits.body_seconds
        else:
            return None
        return name if now - self._since >= allowed else None

    def rank(self, now: float) -> int | None:
        """How soon it is closed for a new connection; None while it may not be. Clients that never sent a request go first."""
        phase, begun = self._state
        if phase is _Phase.WAITING:
            return 1 if begun else 0
        stalled = phase is not _Phase.WORKING and now - self._since > STALLED_SECONDS
        return 2 if stalled else None

    def give_up(self, transport: Transport) -> None:
        """End it for good; a body that comes too slowly is ended first, so that its reader can still answer."""
        if self._state[0] is _Phase.BODY and self._current_request is not None:
            self._current_request.content.set_exception(SlowBodyError())
        else:
            transport.abort()

    def _phase(self) -> _Phase:
        if self.transport is None or self.transport.is_closing() or self.writing_paused:
            return _Phase.SENDING
        if self._current_request is not None:
            return _Phase.WORKING if self._current_request.content.is_eof() else _Phase.BODY
        return _Phase.WAITING if self._waiter is not None else _Phase.WORKING

    def log_exception(self, *args: Any, **kw: Any) -> None:
        if isinstance(kw.get("exc_info"), HttpProcessingError | web.RequestPayloadError):
            self.log_debug(*args, **kw)
        else:
            super().log_exception(*args, **kw)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        super().handle_error(request, status, exc, message)  # logs it, and breaks off a half-sent answer
        answer = self._server.refusal(InvalidRequest() if isinstance(exc, HttpProcessingError) else None)
        answer.force_close()
        return answer

    def finish_response(
        self, request: web.BaseRequest, resp: Any, start_time: float | None
    ) -> Coroutine[Any, Any, tuple[web.StreamResponse, bool]]:
        if isinstance(resp, web.HTTPException):  # an Expect header that is not supported
            resp = self._server.refusal(InvalidRequest())
        return super().finish_response(request, resp, start_time)


class ConnectionServer(web.Server):
    """Makes connections, and closes those that are too many or too slow."""

    def __init__(
        self,
        plain: web.Server,
        limits: ConnectionLimits,
        statistics: RequestStatistics,
        edge: Edge | None,
        posts: Posts | None,
    ) -> None:
        super().__init__(
            edge.around(plain.request_handler) if edge is not None and not edge.immediate else plain.request_handler,
            request_factory=plain.request_factory,
            access_log=None,
            lingering_time=LINGER_SECONDS,
            auto_decompress=False,  # a few bytes may stand for gigabytes, and aiohttp unpacks on every path
        )
        self.edge = None if edge is None or not edge.immediate else edge
        """Answers before a request is made of the bytes, with `posts` beside it."""
        self.posts = posts
        self._limits = limits
        self._most = _affordable(limits.most)
        self._statistics = statistics
        self._open: dict[Connection, Transport] = {}
        self._all_busy_until = 0.0
        self._crowded_at: float | None = None
        self._without_descriptors = False
        self._sweeper = self._loop.call_later(SWEEP_SECONDS, self._sweep)

    def __call__(self) -> RequestHandler:
        return Connection(self, loop=self._loop, **self._kwargs)

    def admit(self, connection: Connection, transport: Transport) -> bool:
        """Whether there is room for a new connection, if need be in place of one that does nothing."""
        if len(self._open) >= self._most and not self._make_room():
            if len(self._open) >= self._most + SPARE_CONNECTIONS:
                self._statistics.closed["refused"] += 1
                return False
            connection.serve_only_health()
        self._open[connection] = transport
        self._statistics.connections = len(self._open)
        return True

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        self._forget(cast("Connection", handler))
        super().connection_lost(handler, exc)

    async def answer_health(self, request: web.BaseRequest) -> web.StreamResponse:
        """What a connection beyond the limit is for."""
        if request.path == HEALTH:
            answer = await self.request_handler(request)
        else:
            self._statistics.closed["refused"] += 1
            answer = self.refusal(Overloaded())
        answer.force_close()
        return answer

    def refusal(self, error: BundlesvcError | None) -> web.Response:
        """The response to a request that does not reach the application, counted."""
        response = server_response(error)
        self._statistics.refuse(response[CODE])
        return response

    async def shutdown(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 - aiohttp's own
        self._sweeper.cancel()
        await super().shutdown(timeout)

    def _forget(self, connection: Connection) -> None:
        self._open.pop(connection, None)
        self._statistics.connections = len(self._open)

    def _sweep(self) -> None:
        self._sweeper = self._loop.call_later(SWEEP_SECONDS, self._sweep)
        now = self._loop.time()
        for connection, transport in list(self._open.items()):
            connection.look(now)
            name = connection.overdue(now, self._limits)
            if name is not None:
                self._statistics.closed[name] += 1
                connection.give_up(transport)
        self._report(now)

    def _make_room(self) -> bool:
        """Close some connections that do nothing, a twentieth of all, so that this is not done for each new one."""
        now = self._loop.time()
        if now < self._all_busy_until:
            return False
        self._crowd(now)
        ranks: list[tuple[int, int, Connection]] = []
        for place, connection in enumerate(self._open):
            connection.look(now)
            rank = connection.rank(now)
            if rank is not None:
                ranks.append((rank, place, connection))
        if not ranks:
            self._all_busy_until = now + SWEEP_SECONDS / 10
            return False
        for *_, connection in sorted(ranks)[: max(1, self._most // 20)]:
            self._open[connection].abort()
            self._forget(connection)
            self._statistics.closed["crowded"] += 1
        return True

    def _crowd(self, now: float) -> None:
        if self._crowded_at is None:
            logger.warning(
                "%d connections are open, as many as there may be (BUNDLESVC_MAX_CONNECTIONS): those that do nothing are "
                "closed for new ones.",
                len(self._open),
            )
        self._crowded_at = now

    def _report(self, now: float) -> None:
        if self._crowded_at is not None and now - self._crowded_at > CALM_SECONDS:
            self._crowded_at = None
            logger.info("there is room for connections again.")
        without = _out_of_descriptors()
        if without and not self._without_descriptors:
            logger.warning(
                "out of file descriptors (limit: %d): no connection can be accepted, and neither the database nor anything "
                "else can be opened. Raise the limit (ulimit -n), or lower BUNDLESVC_MAX_CONNECTIONS.",
                resource.getrlimit(resource.RLIMIT_NOFILE)[0],
            )
        elif self._without_descriptors and not without:
            logger.info("there are file descriptors again.")
        self._without_descriptors = without


def _address(peername: str | tuple[str, int, int, int] | tuple[str, int] | None) -> str | None:
    """As `Request.remote`."""
    return str(peername[0]) if isinstance(peername, tuple) else peername


def _affordable(wanted: int) -> int:
    """As many connections as are wanted, or as many as the descriptors of this process allow."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return wanted
    affordable = max(limit - OTHER_DESCRIPTORS - SPARE_CONNECTIONS, limit // 4, 1)
    if affordable < wanted:
        logger.warning(
            "this process may open %d files: it takes %d connections instead of %d (BUNDLESVC_MAX_CONNECTIONS).",
            limit,
            affordable,
            wanted,
        )
    return min(wanted, affordable)


def _out_of_descriptors() -> bool:
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return error.errno in (errno.EMFILE, errno.ENFILE)
    return False
