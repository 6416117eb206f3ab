"""A client's connection: what is answered before the application, and whether the client takes too long."""

from asyncio import BaseTransport, Transport
from enum import IntEnum
from typing import TYPE_CHECKING, Any, cast

from aiohttp import hdrs, web
from aiohttp.http import RawRequestMessage
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader
from aiohttp.web_protocol import RequestHandler

from bundlesvc.api.bodies import ConnectionLimits, SlowBodyError
from bundlesvc.api.load import Place
from bundlesvc.api.ready import Chunks
from bundlesvc.domain.errors import InvalidRequest

if TYPE_CHECKING:
    from bundlesvc.api.connections import ConnectionServer

HEALTH = "/healthz"
OPERATORS = frozenset((HEALTH, "/readyz", "/metrics"))
"""Paths whose requests are never refused for others."""

REST_SECONDS = 0.5
"""After a refusal, nothing is read from its connection for so long."""

IDLE_SECONDS = 1.0
"""After that a connection without a request may be closed for a new one."""

STALLED_SECONDS = 5
"""After that a connection whose body or response is still on its way may be closed for a new one."""


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


def _address(peername: str | tuple[str, int, int, int] | tuple[str, int] | None) -> str | None:
    """As `Request.remote`."""
    return str(peername[0]) if isinstance(peername, tuple) else peername
