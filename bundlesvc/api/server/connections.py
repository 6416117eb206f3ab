"""All connections, with limits on their number and on how long a client may take to send or to read. A client that does neither
still occupies a file descriptor and memory. A sweep over all connections finds idle clients once a second, at no cost to
requests."""

import asyncio
import logging
import select
import time
from asyncio import Transport
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, cast

from aiohttp import hdrs, web

from bundlesvc.api.aiohttp_internals import RawRequestMessage, message_of, respond_in_http_1_1
from bundlesvc.api.errors import CODE, OWN_HEADERS, server_response
from bundlesvc.api.fast_path.pipeline import FastPath
from bundlesvc.api.fast_path.raw_responses import Chunks
from bundlesvc.api.middleware.observation import REQUEST_ID_HEADER, RequestRecord, request_id_of
from bundlesvc.api.overload import SLOT, Episode, Load, overloaded
from bundlesvc.api.server.connection import HEALTH, OPERATORS, Connection
from bundlesvc.api.server.connection_limits import ConnectionLimits
from bundlesvc.api.server.descriptors import DescriptorReport, affordable
from bundlesvc.api.server.loop_budget import LoopBudget
from bundlesvc.api.server.pending_connections import PendingConnection
from bundlesvc.api.server.response_bytes import response_bytes
from bundlesvc.domain.errors import BundlesvcError, HttpVersionUnsupported

logger = logging.getLogger("bundlesvc")

SWEEP_SECONDS, SWEEP_PARTS = 1.0, 20
"""The seconds that a sweep over all connections takes, and the number of parts into which it is divided. Without parts, closing
thousands of connections at once would delay all others."""

LINGER_SECONDS = 2
"""Seconds for which a client may continue to send a body after its response has been sent, so that the client can read the
response before the connection closes."""

FEW_READS, READ_SECONDS = 32, 0.01
"""The budget for reading in one turn of the event loop (`LoopBudget`)."""

READ_AHEAD = 32 * 1024
"""Bytes of a body that are read before its handler asks for them. At twice this number, reading pauses."""

FEW_BEGINS = 64
"""The maximum number of requests that begin in one turn of the event loop."""

_OPTIONS: dict[str, Any] = {
    "access_log": None,
    "lingering_time": LINGER_SECONDS,
    "read_bufsize": READ_AHEAD,
    "auto_decompress": False,  # a few bytes may expand to gigabytes, and aiohttp decompresses on every path
}

HTTP_MAJOR = 1

_OPERATORS = tuple(f"{method} {path} ".encode() for method in ("GET", "HEAD") for path in OPERATORS)

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class ConnectionServer(web.Server):
    """Accepts connections, and closes those that exceed the limit or are too slow."""

    def __init__(
        self, plain: web.Server, limits: ConnectionLimits, record: RequestRecord, fast_path: FastPath | None
    ) -> None:
        super().__init__(self._in_a_slot(plain.request_handler), request_factory=plain.request_factory)
        self._event_loop = asyncio.get_running_loop()
        self.fast_path = fast_path
        """Answers requests before aiohttp creates request objects."""
        self._limits = limits
        self._most, self._spare = affordable(limits.most)
        self._record = record
        self._statistics = record.statistics
        self.load = Load(limits.requests)
        self.reads = LoopBudget(FEW_READS, READ_SECONDS)
        self.begins = LoopBudget(FEW_BEGINS)
        self._open: dict[Connection, Transport] = {}
        self._waiting: dict[PendingConnection, None] = {}
        self._all_busy_until = 0.0
        self._crowding = Episode()
        self._descriptors = DescriptorReport()
        self._sweeper = self._event_loop.call_later(SWEEP_SECONDS, self._sweep, [])

    def __call__(self) -> Any:
        """Create the protocol for a new connection. It is replaced by a `Connection` when there is room for one."""
        return PendingConnection(self)

    def accept(self, transport: Transport) -> bool:
        """Open a new connection, closing idle ones if necessary. Returns False when there is no room."""
        if self.is_full():
            return False
        self._connect(transport)
        return True

    def is_full(self) -> bool:
        return len(self._open) >= self._most and not self._make_room()

    def is_operator(self, received: bytes) -> bool:
        return received.startswith(_OPERATORS)

    def accept_operator(self, transport: Transport, received: bytes) -> bool:
        """Open a connection beyond the limit if these bytes are an operator's request. Returns True when they are."""
        if not self.is_operator(received):
            return False
        connection = self._connect(transport)
        connection.serve_only_operators()
        connection.data_received(received)
        return True

    def wait(self, arrival: PendingConnection) -> None:
        """Let a connection beyond the limit send its request. When too many such connections are waiting, the oldest is
        closed."""
        self._crowd(self._event_loop.time())
        self._waiting[arrival] = None
        if len(self._waiting) > self._spare:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            self._statistics.closed["refused"] += 1
            oldest.transport.abort()

    def forget(self, arrival: PendingConnection) -> None:
        self._waiting.pop(arrival, None)

    def _connect(self, transport: Transport) -> Connection:
        connection = Connection(self, loop=self._event_loop, **_OPTIONS)
        self._open[connection] = transport
        self._statistics.connections = len(self._open)
        transport.set_protocol(connection)
        connection.connection_made(transport)
        return connection

    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        self._forget(cast("Connection", handler))
        cast("Connection", handler).give_up_slot()
        super().connection_lost(handler, exc)

    def alive(self, message: RawRequestMessage, *, close: bool) -> Chunks | None:
        """Respond to a health check (`HEALTH`) as the application would. Returns None to pass the request on to the
        application."""
        if message.method not in (hdrs.METH_GET, hdrs.METH_HEAD) or self._statistics.draining:
            return None
        if message.version[0] != HTTP_MAJOR:
            return None
        started, request_id = time.perf_counter(), request_id_of(message.headers.get(REQUEST_ID_HEADER))
        response = web.json_response({"status": "ok"}, headers=dict((*OWN_HEADERS, (REQUEST_ID_HEADER, request_id))))
        self._record.write(request_id, message, HEALTH, HEALTH, response.status, None, started)
        return self.write(response, message, close=close)

    def write(self, response: web.Response, message: RawRequestMessage, *, close: bool = False) -> Chunks:
        origin, is_head = message.headers.get(hdrs.ORIGIN), message.method == hdrs.METH_HEAD
        return (response_bytes(response, origin, close=close or message.should_close, head_only=is_head),)

    def crowded(self) -> web.Response:
        """Refuse and count a request that arrives on a connection beyond the limit and does not come from an operator."""
        self._statistics.closed["refused"] += 1
        return self._counted(overloaded())

    def refusal(self, error: BundlesvcError | None) -> web.Response:
        """Build and count the response to a request that does not reach the application."""
        return self._counted(server_response(error))

    def _counted(self, response: web.Response) -> web.Response:
        self._statistics.refuse_unread(response[CODE], response.status)
        return response

    def overload(self) -> web.Response:
        """Build and count the response to a request for which no slot is free."""
        self.load.refused(self._event_loop.time())
        return self._counted(overloaded())

    def _in_a_slot(self, handler: Handler) -> Handler:
        """Wrap the handler so that it is called only for requests that get a slot. All other requests are refused."""

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            connection = cast("Connection", request.protocol)
            if message_of(request).version[0] != HTTP_MAJOR:  # `request.version` would cache it
                connection.give_up_slot()
                return self._in_our_version(request)
            slot = connection.take_slot()
            if slot is None:
                if request.path not in OPERATORS:
                    return self.overload()
                slot = self.load.begin()
            request[SLOT] = slot
            handoff = connection.take_handoff()
            if handoff is not None:
                handoff.note(request)
            try:
                with self._record.tracing.request(request.path, request.headers):
                    return await handler(request)
            finally:
                slot.end()

        return handle

    def _in_our_version(self, request: web.BaseRequest) -> web.Response:
        """Refuse a request whose first line states HTTP/2.0 or HTTP/0.9, with a response in HTTP/1.1 (RFC 9110, 15.6.6)."""
        respond_in_http_1_1(request)
        response = self._counted(server_response(HttpVersionUnsupported()))
        response.force_close()
        return response

    async def respond_to_operator(self, request: web.BaseRequest) -> web.StreamResponse:
        """Respond to a request on a connection beyond the connection limit. Only operators' requests are served."""
        response = await self.request_handler(request) if request.path in OPERATORS else self.crowded()
        response.force_close()
        return response

    async def shutdown(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 - aiohttp's own parameter
        self._sweeper.cancel()
        for arrival in list(self._waiting):
            arrival.transport.abort()
        await super().shutdown(timeout)

    def _forget(self, connection: Connection) -> None:
        self._open.pop(connection, None)
        self._statistics.connections = len(self._open)

    def _sweep(self, parts: list[list[Connection]]) -> None:
        """Check the next batch of connections in this sweep."""
        now = self._event_loop.time()
        if not parts:
            self._report(now)
            self.load.report(now)
            self._descriptors.update()
            if self.fast_path is not None:
                self.fast_path.expire()
            connections = list(self._open)
            parts = [connections[number::SWEEP_PARTS] for number in range(SWEEP_PARTS)]
        self._sweeper = self._event_loop.call_later(SWEEP_SECONDS / SWEEP_PARTS, self._sweep, parts)
        for connection in parts.pop():
            self._look(connection, now)

    def _look(self, connection: Connection, now: float) -> None:
        """Close the connection if its client has exceeded a time limit."""
        transport = self._open.get(connection)
        if transport is None:
            return
        connection.look(now)
        name = connection.overdue(now, self._limits)
        if name is not None:
            self._statistics.closed[name] += 1
            connection.give_up(transport)

    def _make_room(self) -> bool:
        """Close several idle connections in one go, so that this need not be repeated for each new connection. Returns whether
        any was closed."""
        now = self._event_loop.time()
        if now < self._all_busy_until:
            return False
        self._crowd(now)
        ranks: list[tuple[int, int, Connection]] = []
        for index, connection in enumerate(self._open):
            connection.look(now)
            rank = connection.rank(now)
            if rank is not None:
                ranks.append((rank, index, connection))
        idle = self._silent(connection for *_, connection in sorted(ranks)[: max(1, self._most // 20)])
        for connection in idle:
            self._open[connection].abort()
            self._forget(connection)
            self._statistics.closed["crowded"] += 1
        if not idle:
            self._all_busy_until = now + SWEEP_SECONDS / 10
        return bool(idle)

    def _silent(self, connections: Iterable[Connection]) -> list[Connection]:
        """Return the connections that have no unread data."""
        by_file = {self._open[each].get_extra_info("socket").fileno(): each for each in connections}
        poll = select.poll()
        for file in by_file:
            poll.register(file, select.POLLIN)
        readable = {file for file, _ in poll.poll(0)}
        return [each for file, each in by_file.items() if file not in readable]

    def _crowd(self, now: float) -> None:
        if self._crowding.happen(now):
            logger.warning(
                "%d connections are open, which is the limit (BUNDLESVC_MAX_CONNECTIONS): idle ones are closed for new ones.",
                len(self._open),
            )

    def _report(self, now: float) -> None:
        if self._crowding.end(now):
            logger.info("there is room for connections again.")
