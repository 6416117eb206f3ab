"""Connections and their limits: how many there may be, and how long a client may take. A client that sends or reads nothing
holds a descriptor and memory; one look a second at all connections finds it, which costs a request nothing."""

import errno
import logging
import os
import resource
import select
import time
from asyncio import BaseTransport, Transport
from collections.abc import Awaitable, Callable, Iterable
from enum import IntEnum
from typing import Any, cast

from aiohttp import hdrs, web
from aiohttp.http import RawRequestMessage
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader
from aiohttp.web_protocol import RequestHandler

from bundlesvc.api.arrivals import Arrival
from bundlesvc.api.bodies import ConnectionLimits, SlowBodyError
from bundlesvc.api.edge import Edge
from bundlesvc.api.errors import CODE, OWN_HEADERS, server_response
from bundlesvc.api.load import PLACE, Load, Place, overloaded
from bundlesvc.api.middleware.observation import REQUEST_ID_HEADER, RequestRecord, request_id_of
from bundlesvc.api.posts import Posts
from bundlesvc.api.ready import Chunks
from bundlesvc.api.written import written
from bundlesvc.domain.errors import BundlesvcError, InvalidRequest

logger = logging.getLogger("bundlesvc")

SWEEP_SECONDS = 1.0
LINGER_SECONDS = 2
"""How long a client may go on sending a body after its response, so that it can read the response before the end."""

IDLE_SECONDS = 1.0
"""After that a connection without a request may be closed for a new one."""

STALLED_SECONDS = 5
"""After that a connection whose body or response is still on its way may be closed for a new one."""

SPARE_CONNECTIONS, MAX_SPARE_CONNECTIONS = 32, 1024
"""Connections beyond the limit: at least, and if there are descriptors. They serve `OPERATORS`, so that a full process is not
taken for a dead one, and others get a reason."""

HEALTH = "/healthz"
OPERATORS = frozenset((HEALTH, "/readyz", "/metrics"))
"""Paths whose requests are never refused for others."""
_OPERATORS = tuple(f"{method} {path} ".encode() for method in ("GET", "HEAD") for path in OPERATORS)

REST_SECONDS = 0.5
"""After a refusal, nothing is read from its connection for so long."""

OTHER_DESCRIPTORS = 200
"""Descriptors for everything that is not a client: database, Redis, platforms, files."""

CALM_SECONDS = 10
"""When no connection had to be closed for so long, there is room again."""


Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class _Phase(IntEnum):
    WAITING, BODY, WORKING, SENDING = range(4)


class Connection(RequestHandler):
    """A client's connection. Bytes that are not HTTP are the client's fault: 400, and no traceback in our log."""

    __slots__ = ("_edge", "_is_busy", "_is_spare", "_place", "_remote", "_server", "_since", "_state")

    def connection_made(self, transport: BaseTransport) -> None:
        server = self._server = cast("ConnectionServer", self._manager)
        self._state, self._since = (_Phase.WAITING, 0), self._loop.time()
        self._edge = server.edge
        self._is_busy = False
        """Whether a request was handed on whose response has not been written."""
        self._is_spare = False
        self._place: Place | None = None
        self._remote = _address(transport.get_extra_info("peername"))
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Answer or refuse what can be without the application, before its task wakes up, if no request is under way. The task
        need not wait for one again: that takes it another turn of the loop."""
        if self._is_busy:
            super().data_received(data)
            return
        waiter, self._waiter = self._waiter, None
        try:
            super().data_received(data)
        finally:
            self._waiter = waiter
        if self._messages and not self._upgraded and not self._buffer_paused:
            self._answer_at_once()
        if self._messages and self.transport is not None:
            self._is_busy = True
            if isinstance(self._messages[0][0], RawRequestMessage):  # else there is no request, but a fault to report
                self._place = self._server.load.place()
            if waiter is not None and not waiter.done():
                waiter.set_result(None)

    def take_place(self) -> Place | None:
        """The place of the request that begins now; None when there is no room for it."""
        place, self._place = self._place, None
        return place or self._server.load.place()

    def leave(self) -> None:
        """Give up the place of a request that did not begin."""
        if self._place is not None:
            self._place.end()
            self._place = None

    def _answer_at_once(self) -> None:
        """Answer requests in their order, until one must be handed on."""
        messages = self._messages
        while messages and not self._paused and (transport := self.transport) and self._parser:
            message, payload = messages[0]
            if not isinstance(message, RawRequestMessage) or not payload.is_eof() or transport.is_closing():
                return
            chunks = self._chunks(message, payload)
            if chunks is None:
                return
            messages.popleft()
            self._parser.message_consumed()
            transport.writelines(chunks)
            self._server.requests_count += 1
            if message.should_close or self._is_spare:
                self.force_close()
        if self._keepalive_handle is not None:  # the application has answered here before
            self._next_keepalive_close_time = self._loop.time() + self._keepalive_timeout

    def _chunks(self, message: RawRequestMessage, payload: StreamReader) -> Chunks | None:
        """The response, from the edge, or because the process lives, or has too much to do; None to hand the request on."""
        server, is_empty = self._server, payload is EMPTY_PAYLOAD
        if message.path in OPERATORS:
            return server.alive(message, close=self._is_spare) if message.path == HEALTH and is_empty else None
        chunks = None
        if is_empty and self._edge is not None:
            chunks = self._edge.answer(message, self._remote)
        elif not is_empty and self._edge is not None and server.posts is not None:
            chunks = server.posts.answer(message, payload, self._remote)
        if chunks or not server.load.full or self._reading_paused or message.upgrade or hdrs.EXPECT in message.headers:
            return chunks  # a long body, which has paused the reading, must be read
        self._rest()
        return server.write(server.overload(), message)

    def _rest(self) -> None:
        """Read nothing more for a moment: a client that does not heed `Retry-After` would take the time of others."""
        if self.transport is not None:
            self.transport.pause_reading()
            self._loop.call_later(REST_SECONDS, self._read_on)

    def _read_on(self) -> None:
        if self.transport is not None and not (self._buffer_paused or self._reading_paused):
            self._resume_transport_reading()

    def serve_only_operators(self) -> None:
        """Be one of the spare connections: each is closed after its response, so that there are always some."""
        self._edge = None
        self._is_spare = True
        self._request_handler = self._server.answer_operator

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
            return int(begun > 0) if now - self._since >= IDLE_SECONDS else None
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

    async def finish_response(
        self, request: web.BaseRequest, resp: Any, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        if isinstance(resp, web.HTTPException):  # an Expect header that is not supported
            resp = self._server.refusal(InvalidRequest())
        try:
            return await super().finish_response(request, resp, start_time)
        finally:
            self._is_busy = bool(self._messages)


class ConnectionServer(web.Server):
    """Makes connections, and closes those that are too many or too slow."""

    def __init__(
        self, plain: web.Server, limits: ConnectionLimits, record: RequestRecord, edge: Edge | None, posts: Posts | None
    ) -> None:
        waits = edge is not None and not edge.immediate
        super().__init__(
            self._in_its_place(edge.around(plain.request_handler) if edge and waits else plain.request_handler),
            request_factory=plain.request_factory,
            access_log=None,
            lingering_time=LINGER_SECONDS,
            auto_decompress=False,  # a few bytes may stand for gigabytes, and aiohttp unpacks on every path
        )
        self.edge = None if edge is None or not edge.immediate else edge
        """Answers before a request is made of the bytes, with `posts` beside it."""
        self.posts = posts
        self._limits = limits
        self._most, self._spare = _affordable(limits.most)
        self._record = record
        self._statistics = record.statistics
        self.load = Load(limits.requests)
        self._open: dict[Connection, Transport] = {}
        self._waiting: dict[Arrival, None] = {}
        self._all_busy_until = 0.0
        self._crowded_at: float | None = None
        self._without_descriptors = False
        self._sweeper = self._loop.call_later(SWEEP_SECONDS, self._sweep)

    def __call__(self) -> Any:
        """Not yet a handler: it is made when there is room for one."""
        return Arrival(self)

    def accept(self, transport: Transport) -> bool:
        """Whether there is room for a new connection, if need be in place of one that does nothing."""
        if self.is_full():
            return False
        self._connect(transport)
        return True

    def is_full(self) -> bool:
        return len(self._open) >= self._most and not self._make_room()

    def is_operator(self, received: bytes) -> bool:
        return received.startswith(_OPERATORS)

    def accept_operator(self, transport: Transport, received: bytes) -> bool:
        """Whether a connection beyond the limit is of an operator."""
        if not self.is_operator(received):
            return False
        connection = self._connect(transport)
        connection.serve_only_operators()
        connection.data_received(received)
        return True

    def wait(self, arrival: Arrival) -> None:
        """Let a connection beyond the limit send its request. Too many of them are closed, the oldest first."""
        self._crowd(self._loop.time())
        self._waiting[arrival] = None
        if len(self._waiting) > self._spare:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            self._statistics.closed["refused"] += 1
            oldest.transport.abort()

    def forget(self, arrival: Arrival) -> None:
        self._waiting.pop(arrival, None)

    def _connect(self, transport: Transport) -> Connection:
        connection = Connection(self, loop=self._loop, **self._kwargs)
        self._open[connection] = transport
        self._statistics.connections = len(self._open)
        transport.set_protocol(connection)
        connection.connection_made(transport)
        return connection

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        self._forget(cast("Connection", handler))
        cast("Connection", handler).leave()
        super().connection_lost(handler, exc)

    def alive(self, message: RawRequestMessage, *, close: bool) -> Chunks | None:
        """The response to `HEALTH`, as the application would give it; None to hand it on."""
        if message.method not in (hdrs.METH_GET, hdrs.METH_HEAD) or self._statistics.draining:
            return None
        started, request_id = time.perf_counter(), request_id_of(message.headers.get(REQUEST_ID_HEADER))
        response = web.json_response({"status": "ok"}, headers=dict((*OWN_HEADERS, (REQUEST_ID_HEADER, request_id))))
        self._record.write(request_id, message, HEALTH, HEALTH, response.status, None, started)
        return self.write(response, message, close=close)

    def write(self, response: web.Response, message: RawRequestMessage, *, close: bool = False) -> Chunks:
        origin, is_head = message.headers.get(hdrs.ORIGIN), message.method == hdrs.METH_HEAD
        return (written(response, origin, close=close or message.should_close, head_only=is_head),)

    def crowded(self) -> web.Response:
        """What other requests get on a connection beyond the limit."""
        self._statistics.closed["refused"] += 1
        return self._counted(overloaded())

    def refusal(self, error: BundlesvcError | None) -> web.Response:
        """The response to a request that does not reach the application, counted."""
        return self._counted(server_response(error))

    def _counted(self, response: web.Response) -> web.Response:
        self._statistics.refuse(response[CODE])
        return response

    def overload(self) -> web.Response:
        """What a request gets that has no place."""
        self.load.refused(self._loop.time())
        return self._counted(overloaded())

    def _in_its_place(self, handler: Handler) -> Handler:
        """The handler, for requests that have a place."""

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            place = cast("Connection", request.protocol).take_place()
            if place is None:
                if request.path not in OPERATORS:
                    return self.overload()
                place = self.load.begin()
            request[PLACE] = place
            try:
                with self._record.tracing.request(request.headers):
                    return await handler(request)
            finally:
                place.end()

        return handle

    async def answer_operator(self, request: web.BaseRequest) -> web.StreamResponse:
        """What a connection beyond the limit is for."""
        answer = await self.request_handler(request) if request.path in OPERATORS else self.crowded()
        answer.force_close()
        return answer

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
        self.load.report(now)

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
        idle = self._silent(connection for *_, connection in sorted(ranks)[: max(1, self._most // 20)])
        for connection in idle:
            self._open[connection].abort()
            self._forget(connection)
            self._statistics.closed["crowded"] += 1
        if not idle:
            self._all_busy_until = now + SWEEP_SECONDS / 10
        return bool(idle)

    def _silent(self, connections: Iterable[Connection]) -> list[Connection]:
        """Those that have sent nothing that is still to be read."""
        by_file = {self._open[each].get_extra_info("socket").fileno(): each for each in connections}
        poll = select.poll()
        for file in by_file:
            poll.register(file, select.POLLIN)
        readable = {file for file, _ in poll.poll(0)}
        return [each for file, each in by_file.items() if file not in readable]

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


def _affordable(wanted: int) -> tuple[int, int]:
    """As many connections as are wanted, or as many as the descriptors of this process allow; and how many beyond them."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return wanted, MAX_SPARE_CONNECTIONS
    affordable = max(limit - OTHER_DESCRIPTORS - SPARE_CONNECTIONS, limit // 4, 1)
    if affordable < wanted:
        logger.warning(
            "this process may open %d files: it takes %d connections instead of %d (BUNDLESVC_MAX_CONNECTIONS).",
            limit,
            affordable,
            wanted,
        )
    most = min(wanted, affordable)
    return most, min(max(limit - OTHER_DESCRIPTORS - most, SPARE_CONNECTIONS), MAX_SPARE_CONNECTIONS)


def _out_of_descriptors() -> bool:
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return error.errno in (errno.EMFILE, errno.ENFILE)
    return False
