"""The private parts of aiohttp that the service reads and writes, under public names. No other module uses a private attribute of
aiohttp.

aiohttp keeps the attributes of a connection in slots. A slot is a descriptor, so a second name for it costs nothing. When a
release of aiohttp removes an attribute, this module fails as soon as the service starts, and
`tests/api/test_aiohttp_internals.py` names the attribute. `scripts/check-aiohttp`, which CI runs, tests the oldest and the newest
release allowed by the dependency in `pyproject.toml`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from aiohttp import EMPTY_PAYLOAD, HttpVersion11, StreamReader, web
from aiohttp.helpers import rfc822_formatted_time
from aiohttp.http import RawRequestMessage
from aiohttp.http_exceptions import BadHttpMessage, HttpProcessingError
from aiohttp.web_protocol import RequestHandler, _ErrInfo

if TYPE_CHECKING:
    import asyncio
    from collections import deque
    from collections.abc import Awaitable, Callable

    Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

__all__ = (
    "HttpProcessingError",
    "ProtocolInternals",
    "RawRequestMessage",
    "RunnerInternals",
    "buffered_body",
    "message_of",
    "respond_in_http_1_1",
    "rfc822_formatted_time",
    "with_match_info",
)

T = TypeVar("T")

READ_BYTES = 65_536
"""Bytes of a body that may be buffered before they are read; aiohttp's own default."""


class _Slot(Protocol[T]):
    def __get__(self, instance: object, owner: type[object]) -> T: ...

    def __set__(self, instance: object, value: T) -> None: ...


def _slot(name: str) -> Any:
    """Return the descriptor of this slot in aiohttp's class, so that a second name can be defined for it."""
    return getattr(RequestHandler, name)


class ProtocolInternals(RequestHandler):
    """aiohttp's connection handler, with public names for its private state. aiohttp's own task handles the messages one by
    one."""

    __slots__ = ()

    loop: _Slot[asyncio.AbstractEventLoop] = _slot("_loop")
    manager: _Slot[web.Server | None] = _slot("_manager")
    messages: _Slot[deque[tuple[Any, StreamReader]]] = _slot("_messages")
    """Parsed requests that have not been handled yet, each with its body. A request that could not be parsed is represented by a
    fault."""
    parsed_count: _Slot[int] = _slot("_request_count")
    """The number of messages added so far."""
    waiter: _Slot[asyncio.Future[None] | None] = _slot("_waiter")
    """The future that aiohttp's task waits for while there is no message; None while it handles one."""
    handler: _Slot[Handler | None] = _slot("_request_handler")
    current_request: _Slot[web.BaseRequest | None] = _slot("_current_request")
    is_closing: _Slot[bool] = _slot("_close")
    """Whether the connection closes after the current response. With `is_closed`, it closes immediately."""
    is_closed: _Slot[bool] = _slot("_force_close")
    is_upgraded: _Slot[bool] = _slot("_upgraded")
    writing_is_paused: _Slot[bool] = _slot("_paused")
    """Whether the client reads responses more slowly than they are written."""
    body_is_paused: _Slot[bool] = _slot("_reading_paused")
    """Whether reading is paused because a body arrives faster than it is consumed."""
    queue_is_paused: _Slot[bool] = _slot("_buffer_paused")
    """Whether reading is paused because too many messages are waiting."""
    parser: _Slot[object] = _slot("_parser")

    pause_transport = RequestHandler._pause_transport_reading
    resume_transport = RequestHandler._resume_transport_reading

    def add_message(self, message: RawRequestMessage) -> None:
        """Queue, without its body, a message that has already been parsed. aiohttp's parser has not counted the message, but
        tolerates being told that the message was consumed."""
        self._messages.append((message, EMPTY_PAYLOAD))
        self._request_count += 1

    def add_body(self, body: bytes) -> None:
        """Attach the whole body to the first message, so that aiohttp's task can read it."""
        payload = StreamReader(self, READ_BYTES, loop=self._loop)
        payload.feed_data(body)
        payload.feed_eof()
        self._messages[0] = (self._messages[0][0], payload)

    def forget_message(self) -> None:
        """Remove the first message, which is now being answered, from the queue, and restart the connection's keep-alive
        timeout."""
        self._messages.popleft()
        if self._parser is not None:
            self._parser.message_consumed()
        if self._keepalive_handle is not None:  # this timer has been running since the client connected
            self._next_keepalive_close_time = self._loop.time() + self._keepalive_timeout

    def add_fault(self, reason: str) -> None:
        """Queue a fault: after the responses to the messages already queued, the client gets a 400."""
        fault = BadHttpMessage(reason)
        self._messages.append((_ErrInfo(fault.code, fault, fault.message), EMPTY_PAYLOAD))
        self._request_count += 1


class RunnerInternals(web.AppRunner):
    """An application runner whose server wraps aiohttp's own."""

    def server_around(self, plain: web.Server) -> web.Server:
        """Return a server that wraps aiohttp's own server, `plain`, and is used in its place."""
        raise NotImplementedError

    async def _make_server(self) -> web.Server:
        return self.server_around(await super()._make_server())


def message_of(request: web.BaseRequest) -> RawRequestMessage:
    """Return the message that aiohttp's parser produced from the head of the request."""
    return request._message


def respond_in_http_1_1(request: web.BaseRequest) -> None:
    """Make the response use HTTP/1.1. By default, aiohttp responds with the HTTP version of the request."""
    request._version = HttpVersion11


def buffered_body(payload: StreamReader) -> bytes:
    """Return the part of a body received so far, without consuming it."""
    return b"".join(payload._buffer)


def with_match_info(request: web.Request, match: web.UrlMappingMatchInfo) -> web.Request:
    """Attach to a request the route that another application's router found for it. Used for requests that the service sends to
    itself."""
    request._match_info = match
    return request
