"""Limits on how much data a client may send outside of bodies: request heads, trailers, and the framing of chunks.

aiohttp limits only the length of each line and the number of lines, which together allow far too much per connection. Moreover, a
body in chunks of one byte takes much longer to read than one in large chunks.
"""

from aiohttp import EMPTY_PAYLOAD, StreamReader
from aiohttp.web import RequestPayloadError

MAX_HEAD = 32 * 1024
"""The maximum size of a request line and its headers together, in bytes."""

MAX_CHUNKING, BODY_PART = 4096, 4
"""Limit on the overhead of chunks (sizes, ends and trailers): `MAX_CHUNKING` bytes, plus one byte per `BODY_PART` bytes of the
body."""

SLICE = 8 * 1024
"""Bytes that are parsed at a time. This is also the precision with which the length of an incomplete part is known."""


class Framing:
    """Counts the bytes that have arrived on a connection outside of bodies since the last complete head or body."""

    __slots__ = ("_is_in_body", "_payload", "_received", "_size")

    def __init__(self) -> None:
        self.begin(EMPTY_PAYLOAD)

    def begin(self, payload: StreamReader) -> None:
        """Start a new count for the body that follows a complete head. Some of the body may already have arrived."""
        self._payload, self._received, self._size = payload, payload.total_bytes, 0
        self._is_in_body = not payload.is_eof()

    def add(self, size: int, unparsed: int = 0) -> bool:
        """Count received bytes. Returns True when there are too many. Up to `unparsed` of the bytes counted so far have not been
        parsed yet."""
        grown = self._payload.total_bytes - self._received
        self._received += grown
        self._size += size - grown
        if not self._is_in_body:
            return self._size - unparsed > MAX_HEAD
        if self._payload.is_eof():  # the data contained the end of the body and the start of the next head
            self._is_in_body, self._size = False, 0
            return False
        return self._size - unparsed > MAX_CHUNKING + self._received // BODY_PART

    def end(self) -> None:
        """End the body that is being read, if any, because its framing is faulty."""
        if self._is_in_body:
            self._payload.set_exception(RequestPayloadError("too much data besides the body"))
