"""A client's connection: it answers some requests before the application, and notices when the client takes too long."""

import asyncio
from asyncio import BaseTransport, Task, Transport
from collections.abc import Callable, Coroutine
from enum import IntEnum
from functools import partial
from typing import Any, Protocol, cast

from aiohttp import EMPTY_PAYLOAD, StreamReader, hdrs, web

from bundlesvc.api.aiohttp_internals import HttpProcessingError, ProtocolInternals, RawRequestMessage
from bundlesvc.api.bodies import ConnectionLimits, SlowBodyError
from bundlesvc.api.errors import free_frames
from bundlesvc.api.fast_path.edge import Edge
from bundlesvc.api.fast_path.posts import Posts, Unfinished
from bundlesvc.api.fast_path.ready_responses import Chunks
from bundlesvc.api.recent_rate import RecentRate
from bundlesvc.api.server.framing import SLICE, Framing
from bundlesvc.api.server.loop_budget import Turns
from bundlesvc.api.server.overload import Load, Place
from bundlesvc.domain.errors import BundlesvcError, InvalidRequest

HEALTH = "/healthz"
OPERATORS = frozenset((HEALTH, "/readyz", "/metrics"))
"""Paths for operators, whose requests are never refused because of others."""

REST_SECONDS = 0.5
"""Seconds after a refusal during which nothing is read from its connection."""

IDLE_SECONDS = 1.0
"""Seconds after which an idle connection may be closed to make room for a new one."""

STALLED_SECONDS = 5
"""Seconds after which a connection may be closed to make room for a new one although its body or response is still in
transfer."""


MAX_LATE_BYTES = 4096
"""The most bytes whose reading is put off. Larger data is read at once, because it would stay in memory."""


class Server(Protocol):
    """The interface of the server that made a connection."""

    edge: Edge | None
    posts: Posts | None
    load: Load
    reads: Turns
    begins: Turns
    requests_count: int

    def alive(self, message: RawRequestMessage, *, close: bool) -> Chunks | None:
        """The response to `HEALTH`; None to hand the request on."""

    def overload(self) -> web.Response:
        """The response to a request for which there is no room."""

    def refusal(self, error: BundlesvcError | None) -> web.Response:
        """The response to a request that does not reach the application."""

    def write(self, response: web.Response, message: RawRequestMessage, *, close: bool = False) -> Chunks:
        """The bytes of a response to this message."""

    async def answer_operator(self, request: web.BaseRequest) -> web.StreamResponse:
        """The response on a connection beyond the limit."""


class _Phase(IntEnum):
    WAITING, BODY, WORKING, SENDING = range(4)


class Connection(ProtocolInternals):
    """A client's connection. Bytes that are not HTTP are the client's fault: 400, and no traceback in our log."""

    __slots__ = (
        "_edge",
        "_framing",
        "_is_busy",
        "_is_late",
        "_is_refused",
        "_is_spare",
        "_place",
        "_posting",
        "_rate",
        "_received",
        "_remote",
        "_server",
        "_since",
        "_state",
        "_unfinished",
        "_unread",
    )

    def connection_made(self, transport: BaseTransport) -> None:
        server = self._server = cast("Server", self.manager)
        self._state, self._since = (_Phase.WAITING, 0), self.loop.time()
        self._rate, self._received = RecentRate(self._since), 0
        self._edge = server.edge
        self._framing = Framing()
        self._is_refused = False
        """Whether the client has sent what is not HTTP, or too much besides bodies: nothing more is parsed."""
        self._unread = b""
        """What has arrived and waits until the body before it is read."""
        self._is_busy = False
        """Whether a request was handed on whose response has not been written."""
        self._is_late = False
        """Whether what has arrived waits for a later turn of the loop."""
        self._posting: Task[None] | None = None
        """Handles the first of the messages, which no other may overtake."""
        self._unfinished: Unfinished | None = None
        self._is_spare = False
        self._place: Place | None = None
        self._remote = _address(transport.get_extra_info("peername"))
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self._framing.begin(EMPTY_PAYLOAD)  # a body knows its connection: each would hold the other

    def data_received(self, data: bytes) -> None:
        """Read data, and answer or refuse requests without the application where possible, if no request is in progress.
        aiohttp's task is not woken for these, which saves a turn of the loop."""
        if self._is_busy:
            self._parse(data)
        elif self._server.reads.enough() and len(data) <= MAX_LATE_BYTES:
            self._put_off(self._server.reads, partial(self._read, data))
        else:
            self._read(data)

    def _put_off(self, turns: Turns, work: Callable[[], None]) -> None:
        """Put work off to a later turn of the loop, and read nothing more until then."""
        self._is_late = True
        self.pause_transport()
        turns.put_off(partial(self._do_late, work))

    def _do_late(self, work: Callable[[], None]) -> None:
        self._is_late = False
        if self.transport is not None:
            self._read_on()
            work()

    def _read(self, data: bytes) -> None:
        waiter, self.waiter = self.waiter, None
        try:
            self._parse(data)
        finally:
            self.waiter = waiter
        if self._posting is None:
            self._proceed()

    def _parse(self, data: bytes) -> None:
        """Let aiohttp read what has arrived, part by part, while there is room for the body in it. Without data it goes on with
        what it has put off, and then with what waits here."""
        arrived, self._unread = self._unread + data, b""
        if not data:
            self._parse_part(data)
        for start in range(0, len(arrived), SLICE):
            if self._is_refused or self.is_closing or self.is_closed:
                return
            if self.body_is_paused:
                self._unread = arrived[start:]
                return
            self._parse_part(arrived[start : start + SLICE])

    def _parse_part(self, part: bytes) -> None:
        """Let aiohttp parse this part, and refuse too much data outside of bodies. aiohttp may put off some of the part, or
        all of it while too many requests wait."""
        count = self.parsed_count
        super().data_received(part)
        if count != self.parsed_count:
            message, payload = self.messages[-1]
            self._is_refused = not isinstance(message, RawRequestMessage)
            self._framing.begin(payload)
        elif self._framing.add(len(part), SLICE if self.body_is_paused else 0) and not self.queue_is_paused:
            self._refuse()

    def _refuse(self) -> None:
        """End the connection: after the response to a request in progress, or with a response that refuses it."""
        self._is_refused = True
        self._framing.end()
        self.add_fault("The head or the chunks of a request are too long.")

    def take_place(self) -> Place | None:
        """Take a place for the request that begins now; None when there is no room for it."""
        place, self._place = self._place, None
        return place or self._server.load.place()

    def leave(self) -> None:
        """Give up the place of a request that did not begin."""
        if self._place is not None:
            self._place.end()
            self._place = None

    def take_unfinished(self) -> Unfinished | None:
        """Take the part of the work for the beginning request that is already done."""
        unfinished, self._unfinished = self._unfinished, None
        return unfinished

    async def shutdown(self, timeout: float | None = 15.0) -> None:  # noqa: ASYNC109 - aiohttp's own
        if self._posting is not None:
            await asyncio.wait((self._posting,), timeout=timeout)
        await super().shutdown(timeout)

    def _proceed(self) -> None:
        """Continue with the messages that have arrived."""
        if self.messages and not self.is_upgraded and not self.queue_is_paused:
            self._answer_at_once()
        if not self.messages or self.transport is None:
            return
        if isinstance(self.messages[0][0], RawRequestMessage):  # else there is no request, but a fault to report
            self._place = self._server.load.place()
        if self.waiter is not None and self._server.begins.enough():  # without, aiohttp's task begins now
            self._put_off(self._server.begins, self._begin)
        else:
            self._begin()

    def _begin(self) -> None:
        """Begin to handle the first message."""
        if not self._begin_post():
            self._hand_on()

    def _hand_on(self) -> None:
        """Let aiohttp's task handle the first message."""
        self._is_busy = True
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    def _begin_post(self) -> bool:
        """Begin a POST in a separate task, which is cheaper than aiohttp's. Returns False when the first message is not such a
        POST, or aiohttp's task is not idle and would take the message too."""
        message, payload = self.messages[0]
        place, posts = self._place, self._server.posts
        if (
            place is None
            or posts is None
            or self.waiter is None
            or self.waiter.done()
            or self.writing_paused
            or self.queue_is_paused
        ):
            return False
        response = posts.begin(cast("RawRequestMessage", message), payload, self._remote, place.waiting)
        if response is None:
            return False
        self._place = None
        self._posting = self.loop.create_task(self._post(response, place), name="post")
        return True

    async def _post(self, response: Coroutine[Any, Any, Chunks | Unfinished], place: Place) -> None:
        """Handle the first message, even if its client disconnects, and send the response, or hand it on to the
        application."""
        outcome = await response
        self._posting = None
        transport = self.transport
        if transport is None or transport.is_closing():
            place.end()
        elif isinstance(outcome, Unfinished):
            self._place, self._unfinished = place, outcome
            self._hand_on()
        else:
            place.end()
            self._send(cast("RawRequestMessage", self.messages[0][0]), transport, outcome)
            self._proceed()

    def _send(self, message: RawRequestMessage, transport: Transport, chunks: Chunks) -> None:
        """Send the response to the first message, and remove the message."""
        self.forget_message()
        transport.writelines(chunks)
        self._server.requests_count += 1
        if message.should_close or self._is_spare:
            self.force_close()

    def _answer_at_once(self) -> None:
        """Answer requests in their order, until one must be handed on."""
        messages = self.messages
        while messages and not self.writing_paused and (transport := self.transport) and self.parser:
            message, payload = messages[0]
            if not isinstance(message, RawRequestMessage) or not payload.is_eof() or transport.is_closing():
                return
            chunks = self._chunks(message, payload)
            if chunks is None:
                return
            self._send(message, transport, chunks)

    def _chunks(self, message: RawRequestMessage, payload: StreamReader) -> Chunks | None:
        """The response to a request without the application: from the fast path, to a health check, or in an overload; None to
        hand the request on."""
        server, is_empty = self._server, payload is EMPTY_PAYLOAD
        if message.path in OPERATORS:
            return server.alive(message, close=self._is_spare) if message.path == HEALTH and is_empty else None
        chunks = None
        if is_empty and self._edge is not None:
            chunks = self._edge.answer(message, self._remote)
        elif not is_empty and self._edge is not None and server.posts is not None:
            chunks = server.posts.answer(message, payload, self._remote)
        if chunks or not server.load.full or self.body_is_paused or message.upgrade or hdrs.EXPECT in message.headers:
            return chunks  # a long body, which has paused the reading, must be read
        self._rest()
        return server.write(server.overload(), message)

    def _rest(self) -> None:
        """Read nothing more for a moment: a client that does not heed `Retry-After` would take the time of others."""
        if self.transport is not None:
            self.transport.pause_reading()
            self.loop.call_later(REST_SECONDS, self._read_on)

    def _read_on(self) -> None:
        if self.transport is not None and not (self.queue_is_paused or self.body_is_paused or self._is_late):
            self.resume_transport()

    def serve_only_operators(self) -> None:
        """Make this a spare connection, which is closed after its response, so that there are always some."""
        self._edge = None
        self._is_spare = True
        self.handler = self._server.answer_operator

    def look(self, now: float) -> None:
        """Record when the connection entered its present phase (such as waiting for a header, or sending a response), and how
        much of a body has arrived."""
        state = (self._phase(), self.parsed_count - len(self.messages))
        if state != self._state:
            self._state, self._since = state, now
            self._rate, self._received = RecentRate(now), 0
        if state[0] is _Phase.BODY and self.current_request is not None:
            received = self.current_request.content.total_bytes
            self._rate.add(received - self._received, now)
            self._received = received

    def overdue(self, now: float, limits: ConnectionLimits) -> str | None:
        """The step for which the client has taken too long; None when it is in time."""
        phase, begun = self._state
        if phase is _Phase.WAITING:
            name, allowed = ("keepalive", limits.keepalive_seconds) if begun else ("header", limits.header_seconds)
        elif phase is _Phase.BODY and self.current_request is not None:
            if self.current_request.content.exception() is not None:
                return None
            is_slow = self._rate.of(now) < limits.body_rate
            name, allowed = "body", limits.header_seconds if is_slow else limits.body_seconds
        elif phase is _Phase.SENDING:
            name, allowed = "response", limits.body_seconds
        else:
            return None
        return name if now - self._since >= allowed else None

    def rank(self, now: float) -> int | None:
        """The order in which connections are closed to make room for new ones; None while this one may not be. Those that
        never sent a request come first."""
        phase, begun = self._state
        if phase is _Phase.WAITING:
            return int(begun > 0) if now - self._since >= IDLE_SECONDS else None
        stalled = phase is not _Phase.WORKING and now - self._since > STALLED_SECONDS
        return 2 if stalled else None

    def give_up(self, transport: Transport) -> None:
        """Close the connection. If a body arrives too slowly, only the body is ended first, so that its reader can still
        answer."""
        if self._state[0] is _Phase.BODY and self.current_request is not None:
            self.current_request.content.set_exception(SlowBodyError())
        else:
            transport.abort()

    def _phase(self) -> _Phase:
        if self.transport is None or self.transport.is_closing() or self.writing_paused:
            return _Phase.SENDING
        if self._posting is not None or self._is_late:
            return _Phase.WORKING
        if self.current_request is not None:
            return _Phase.WORKING if self.current_request.content.is_eof() else _Phase.BODY
        return _Phase.WAITING if self.waiter is not None else _Phase.WORKING

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
        if exc is not None:
            free_frames(exc)
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
            self._is_busy = bool(self.messages)


def _address(peername: str | tuple[str, int, int, int] | tuple[str, int] | None) -> str | None:
    """The client's address, as in `Request.remote`."""
    return str(peername[0]) if isinstance(peername, tuple) else peername
