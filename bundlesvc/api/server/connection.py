"""A client's connection, which answers some requests before they reach the application, and recognises when the client exceeds a
time limit."""

import asyncio
from asyncio import BaseTransport, Task, Transport
from collections.abc import Awaitable, Callable
from enum import IntEnum
from functools import partial
from typing import Any, Protocol, cast

from aiohttp import EMPTY_PAYLOAD, StreamReader, hdrs, web

from bundlesvc.api.aiohttp_internals import HttpProcessingError, ProtocolInternals, RawRequestMessage
from bundlesvc.api.bodies.reading import SlowBodyError
from bundlesvc.api.counting.recent_rate import RecentRate
from bundlesvc.api.errors import free_frames
from bundlesvc.api.fast_path.head_cache import END_OF_HEAD, MAX_HEAD, Repeated
from bundlesvc.api.fast_path.pipeline import FastPath, Handoff
from bundlesvc.api.fast_path.raw_responses import Chunks
from bundlesvc.api.overload import Load, Slot
from bundlesvc.api.server.connection_limits import ConnectionLimits
from bundlesvc.api.server.framing import SLICE, Framing
from bundlesvc.api.server.loop_budget import LoopBudget
from bundlesvc.domain.errors import BundlesvcError, InvalidRequest
from bundlesvc.eager import Waiting

HEALTH = "/healthz"
OPERATORS = frozenset((HEALTH, "/readyz", "/metrics"))
"""Paths for operators. Requests to these paths are never refused because of other requests."""

REST_SECONDS = 0.5
"""Seconds for which nothing is read from a connection after a refusal."""

IDLE_SECONDS = 1.0
"""Seconds of idleness after which a connection may be closed to make room for a new one."""

STALLED_SECONDS = 5
"""Seconds without progress after which a connection may be closed to make room for a new one, even while its body or response is
being transferred."""


MAX_LATE_BYTES = 4096
"""The maximum number of received bytes whose parsing may be postponed. A larger amount is parsed immediately, because it would
otherwise stay in memory."""


class Server(Protocol):
    """The interface of the server to which a connection belongs."""

    fast_path: FastPath | None
    load: Load
    reads: LoopBudget
    begins: LoopBudget
    requests_count: int

    def alive(self, message: RawRequestMessage, *, close: bool) -> Chunks | None:
        """Return the response to a health check (`HEALTH`), or None to pass the request on."""

    def overload(self) -> web.Response:
        """Build the response to a request that is refused because of an overload."""

    def refusal(self, error: BundlesvcError | None) -> web.Response:
        """Build the response to a request that does not reach the application."""

    def write(self, response: web.Response, message: RawRequestMessage, *, close: bool = False) -> Chunks:
        """Serialise the response to this message."""

    async def respond_to_operator(self, request: web.BaseRequest) -> web.StreamResponse:
        """Respond to an operator's request on a connection beyond the connection limit."""


class _Phase(IntEnum):
    WAITING, BODY, WORKING, SENDING = range(4)


class Connection(ProtocolInternals):
    """A client's connection. Bytes that are not HTTP are treated as the client's fault: they get a 400, and no traceback is
    logged."""

    __slots__ = (
        "_answering",
        "_fast_path",
        "_framing",
        "_handoff",
        "_head",
        "_is_between",
        "_is_busy",
        "_is_late",
        "_is_refused",
        "_is_spare",
        "_rate",
        "_received",
        "_remote",
        "_repeated",
        "_server",
        "_since",
        "_slot",
        "_state",
        "_unread",
    )

    def connection_made(self, transport: BaseTransport) -> None:
        server = self._server = cast("Server", self.manager)
        self._state, self._since = (_Phase.WAITING, 0), self.loop.time()
        self._rate, self._received = RecentRate(self._since), 0
        self._fast_path = server.fast_path
        self._framing = Framing()
        self._is_refused = False
        """Whether the client has sent something that is not HTTP, or too much data outside of bodies. If so, nothing more is
        parsed."""
        self._is_between = True
        """Whether all received data has been parsed and ended with a complete request."""
        self._unread = b""
        """Received data that waits until the body before it has been read."""
        self._is_busy = False
        """Whether a request was passed on to aiohttp's task and its response has not been written yet."""
        self._is_late = False
        """Whether received data waits for a later turn of the loop."""
        self._answering: Task[None] | None = None
        """The task that answers the first message; no other message may overtake it."""
        self._head: bytes | None = None
        """The head of the first message, if it may be cached."""
        self._repeated: Repeated | None = None
        """The first message and its body, if its head was found in the cache. aiohttp's task receives the body from here."""
        self._handoff: Handoff | None = None
        self._is_spare = False
        self._slot: Slot | None = None
        self._remote = _address(transport.get_extra_info("peername"))
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self._framing.begin(EMPTY_PAYLOAD)  # a body refers to its connection: this breaks the reference cycle

    def data_received(self, data: bytes) -> None:
        """Process received data. If no request is in progress, answer or refuse requests without the application where possible.
        aiohttp's task is not woken for these requests, which saves a turn of the event loop."""
        if self._is_busy:
            self._parse(data)
        elif self.waiter is None:  # aiohttp's task has just sent a response, and waits again in the loop's next turn
            self._put_off(self.loop.call_soon, partial(self._read, data))
        elif self._server.reads.enough() and len(data) <= MAX_LATE_BYTES:
            self._put_off(self._server.reads.put_off, partial(self._read, data))
        else:
            self._read(data)

    def _put_off(self, schedule: Callable[[Callable[[], None]], object], work: Callable[[], None]) -> None:
        """Postpone work to a later turn of the event loop, and read nothing more until then."""
        self._is_late = True
        self.pause_transport()
        schedule(partial(self._do_late, work))

    def _do_late(self, work: Callable[[], None]) -> None:
        self._is_late = False
        if self.transport is not None:
            self._read_on()
            work()

    def _read(self, data: bytes) -> None:
        if self._is_busy:  # the request before it was passed on while this data waited
            self._parse(data)
            return
        repeated = None
        if (
            self._is_between
            and self._fast_path is not None
            and not (self.messages or self.is_closing or self.is_closed)
        ):
            repeated = self._fast_path.heads.find(data)
        if repeated is None:
            self._head = self._parse_quietly(data) or self._head
        else:
            self.add_message(repeated.message)
            self._head, self._repeated = None, repeated
        self._proceed()

    def _parse_quietly(self, data: bytes) -> bytes | None:
        """Parse data without waking aiohttp's task. Returns the head of the request if the data is exactly one complete
        request."""
        was_between, count, waiter = self._is_between, self.parsed_count, self.waiter
        self.waiter = None
        try:
            if self._unread or len(data) > SLICE:
                self._parse(data)
            elif not (self._is_refused or self.is_closing or self.is_closed):
                self._is_between = False
                self._parse_part(data)
        finally:
            self.waiter = waiter
        if self.parsed_count != count + 1 or len(self.messages) != 1:
            return None
        message, payload = self.messages[0]
        end = data.find(END_OF_HEAD) + len(END_OF_HEAD)
        self._is_between = (
            end <= MAX_HEAD
            and payload.is_eof()
            and payload.total_bytes == len(data) - end  # neither chunked nor followed by the start of another request
            and isinstance(message, RawRequestMessage)
            and not (message.should_close or message.upgrade)
        )
        return data[:end] if was_between and self._is_between else None

    def _parse(self, data: bytes) -> None:
        """Let aiohttp parse received data slice by slice, and keep the rest while there is no room for more of the body. When
        `data` is empty, continue with the data that aiohttp has held back, and then with the data kept here."""
        self._is_between = False
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
        """Let aiohttp parse this part, and refuse the request when too much data outside of bodies has arrived. While too many
        requests are waiting, aiohttp may parse only some of the part, or none of it, and the remainder later."""
        count = self.parsed_count
        super().data_received(part)
        if count != self.parsed_count:
            message, payload = self.messages[-1]
            self._is_refused = not isinstance(message, RawRequestMessage)
            self._framing.begin(payload)
        elif self._framing.add(len(part), SLICE if self.body_is_paused else 0) and not self.queue_is_paused:
            self._refuse()

    def _refuse(self) -> None:
        """End the connection with a response that refuses the faulty request. Requests that arrived before that request are still
        answered."""
        self._is_refused = True
        self._framing.end()
        self.add_fault("The head or the chunks of a request are too long.")

    def take_slot(self) -> Slot | None:
        """Take a slot for the request that begins now. Returns None when no slot is free."""
        slot, self._slot = self._slot, None
        return slot or self._server.load.take_slot()

    def give_up_slot(self) -> None:
        """Release the slot of a request that was not started."""
        if self._slot is not None:
            self._slot.end()
            self._slot = None

    def take_handoff(self) -> Handoff | None:
        """Return the record of what the fast path has already done for the request that begins now, and clear the record."""
        handoff, self._handoff = self._handoff, None
        return handoff

    async def shutdown(self, timeout: float | None = 15.0) -> None:  # noqa: ASYNC109 - aiohttp's own parameter
        if self._answering is not None:
            await asyncio.wait((self._answering,), timeout=timeout)
        await super().shutdown(timeout)

    def _proceed(self) -> None:
        """Answer the messages that have arrived, in order, until one must wait or be passed on to the application."""
        if self._is_busy or self._is_late or self._answering is not None:
            return
        while self.messages and not (self.writing_is_paused or self.queue_is_paused or self.is_upgraded):
            message, payload = self.messages[0]
            transport = self.transport
            if transport is None or transport.is_closing() or self.parser is None:
                break
            if not isinstance(message, RawRequestMessage) or not payload.is_eof():
                break
            chunks = self._respond(message, payload)
            if chunks is None:
                break
            self._send(message, payload, transport, chunks)
        if self.messages and self.transport is not None and self._answering is None:
            self._hand_on_in_turn()

    def _respond(self, message: RawRequestMessage, payload: StreamReader) -> Chunks | None:
        """Respond to a request without the application: to a health check, from the fast path, or with a refusal under overload.
        Returns None when the fast path is waiting or the request must be passed on to the application."""
        server = self._server
        if message.path in OPERATORS:
            is_alive = message.path == HEALTH and payload is EMPTY_PAYLOAD
            return server.alive(message, close=self._is_spare) if is_alive else None
        chunks = self._respond_fast(message, payload)
        if chunks or self._answering is not None or self._has_room(message):
            return chunks
        self._handoff = None
        self._rest()
        return server.write(server.overload(), message)

    def _has_room(self, message: RawRequestMessage) -> bool:
        """Take a slot for a request, and return whether the request may be passed on. A request whose body is so long that
        reading has been paused must be passed on even without a slot."""
        if self._slot is None:
            self._slot = self._server.load.take_slot()
        is_read = self.body_is_paused or message.upgrade or hdrs.EXPECT in message.headers
        return self._slot is not None or is_read

    def _respond_fast(self, message: RawRequestMessage, payload: StreamReader) -> Chunks | None:
        """Return the response of the fast path if it is available without waiting. A GET takes a slot only if it waits. The fast
        path is tried only while aiohttp's task is idle, because a running task would process the same message."""
        fast_path, waiter, repeated = self._fast_path, self.waiter, self._repeated
        if fast_path is None or waiter is None or waiter.done():
            return None
        has_body = bool(repeated.body) if repeated else payload is not EMPTY_PAYLOAD
        self._slot = self._server.load.take_slot() if has_body else None
        outcome = fast_path.begin(message, payload, self._remote, self._slot, repeated)
        if isinstance(outcome, tuple):
            if self._slot is not None:
                self.give_up_slot()
            return outcome
        if isinstance(outcome, Waiting):
            self._wait(fast_path, outcome)
        else:
            self._handoff = outcome
        return None

    def _wait(self, fast_path: FastPath, waiting: Waiting[Chunks | Handoff]) -> None:
        """If a slot is free, start a separate task that answers the first message."""
        slot, self._slot = self._slot or self._server.load.take_slot(), None
        if slot is None:
            waiting.close()
        else:
            self._answering = self.loop.create_task(self._finish(fast_path.finish(waiting), slot), name="fast path")

    async def _finish(self, response: Awaitable[Chunks | Handoff], slot: Slot) -> None:
        """Wait for the fast path, even if the client disconnects. Then send the response of the fast path, or pass the request on
        to the application."""
        outcome = await response
        self._answering = None
        transport = self.transport
        if transport is None or transport.is_closing():
            slot.end()
        elif isinstance(outcome, Handoff):
            self._slot, self._handoff = slot, outcome
            self._hand_on()
        else:
            slot.end()
            self._send(*self.messages[0], transport, outcome)
            if self.messages:
                self.loop.call_soon(self._proceed)  # not in this task: see `eager.start`

    def _hand_on_in_turn(self) -> None:
        """Let aiohttp's task handle the first message: in this turn of the event loop, or in a later one if too many requests
        begin in this turn."""
        message, payload = self.messages[0]
        is_request = isinstance(message, RawRequestMessage)  # otherwise it is an error to report
        # A request whose body has not arrived yet takes a slot only when its handling begins. Otherwise a queue of a thousand
        # such requests would take every slot.
        if self._slot is None and is_request and payload.is_eof():
            self._slot = self._server.load.take_slot()
        if self.waiter is not None and self._server.begins.enough():  # when `waiter` is None, aiohttp's task begins now
            self._put_off(self._server.begins.put_off, self._hand_on)
        else:
            self._hand_on()

    def _hand_on(self) -> None:
        """Let aiohttp's task handle the first message in the queue."""
        self._is_busy = True
        if self._repeated is not None and self._repeated.body:
            self.add_body(self._repeated.body)
        self._head = self._repeated = None
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    def _send(self, message: RawRequestMessage, payload: StreamReader, transport: Transport, chunks: Chunks) -> None:
        """Send the response to the first message, and remove the message from the queue."""
        self.forget_message()
        transport.writelines(chunks)
        self._repeated = None
        if self._head is not None:
            if self._fast_path is not None:
                self._fast_path.heads.learn(self._head, message, payload)
            self._head = None
        self._server.requests_count += 1
        if message.should_close or self._is_spare:
            self.force_close()

    def _rest(self) -> None:
        """Pause reading for a moment, because a client that ignores `Retry-After` would otherwise take processor time from other
        clients."""
        if self.transport is not None:
            self.transport.pause_reading()
            self.loop.call_later(REST_SECONDS, self._read_on)

    def _read_on(self) -> None:
        if self.transport is not None and not (self.queue_is_paused or self.body_is_paused or self._is_late):
            self.resume_transport()

    def serve_only_operators(self) -> None:
        """Make this a spare connection, which serves only operators. A spare connection is closed after one response, so that
        some always remain available."""
        self._fast_path = None
        self._is_spare = True
        self.handler = self._server.respond_to_operator

    def look(self, now: float) -> None:
        """Record when the connection entered its current phase (such as waiting for a header, or sending a response), and how
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
        """Return the step for which the client has taken too long, or None when the client is on time."""
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
        """Return the connection's rank among the connections that may be closed to make room for new ones, or None while it must
        not be closed. Connections with the lowest rank, which have never sent a request, are closed first."""
        phase, begun = self._state
        if phase is _Phase.WAITING:
            return int(begun > 0) if now - self._since >= IDLE_SECONDS else None
        stalled = phase is not _Phase.WORKING and now - self._since > STALLED_SECONDS
        return 2 if stalled else None

    def give_up(self, transport: Transport) -> None:
        """Close the connection of a client that is too slow. If a body is arriving too slowly, only make reading it fail, so that
        the handler that reads the body can still respond."""
        if self._state[0] is _Phase.BODY and self.current_request is not None:
            self.current_request.content.set_exception(SlowBodyError())
        else:
            transport.abort()

    def _phase(self) -> _Phase:
        if self.transport is None or self.transport.is_closing() or self.writing_is_paused:
            return _Phase.SENDING
        if self._answering is not None or self._is_late:
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
        super().handle_error(request, status, exc, message)  # logs the error, and cuts off a half-sent response
        response = self._server.refusal(InvalidRequest() if isinstance(exc, HttpProcessingError) else None)
        if exc is not None:
            free_frames(exc)
        response.force_close()
        return response

    async def finish_response(
        self, request: web.BaseRequest, resp: Any, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        if isinstance(resp, web.HTTPException):  # raised for an unsupported Expect header
            resp = self._server.refusal(InvalidRequest())
        try:
            return await super().finish_response(request, resp, start_time)
        finally:
            self._is_busy = bool(self.messages)


def _address(peername: str | tuple[str, int, int, int] | tuple[str, int] | None) -> str | None:
    """Return the client's address, in the form of `Request.remote`."""
    return str(peername[0]) if isinstance(peername, tuple) else peername
