"""How much a client may send besides bodies: heads, trailers, and the sizes of chunks.

aiohttp limits the length of each line and the number of lines, which allows a megabyte for each connection before any request
is there. And a body in chunks of one byte takes a hundred times as long to read as one in large chunks.
"""

from aiohttp import EMPTY_PAYLOAD, StreamReader
from aiohttp.web import RequestPayloadError

MAX_HEAD = 32 * 1024
"""Bytes of a request line and its headers."""

MAX_CHUNKING, BODY_PART = 4096, 4
"""The sizes and ends of chunks, with the trailers, may take this many bytes and a quarter of the body."""

SLICE = 8 * 1024
"""Bytes that are parsed at once: this is how exactly the length of what is not complete is known."""


class Framing:
    """What one connection has sent besides bodies, since its last complete head or body."""

    __slots__ = ("_is_in_body", "_payload", "_received", "_size")

    def __init__(self) -> None:
        self.begin(EMPTY_PAYLOAD)

    def begin(self, payload: StreamReader) -> None:
        """A head is complete, and this is its body, with what has come of it."""
        self._payload, self._received, self._size = payload, payload.total_bytes, 0
        self._is_in_body = not payload.is_eof()

    def add(self, size: int, unparsed: int = 0) -> bool:
        """Whether there is too much, with these bytes; up to `unparsed` of all are still to be parsed."""
        grown = self._payload.total_bytes - self._received
        self._received += grown
        self._size += size - grown
        if not self._is_in_body:
            return self._size - unparsed > MAX_HEAD
        if self._payload.is_eof():  # what came besides was its end, and the start of the next head
            self._is_in_body, self._size = False, 0
            return False
        return self._size - unparsed > MAX_CHUNKING + self._received // BODY_PART

    def end(self) -> None:
        """Read no more of the body, if one is being read: it is faulty."""
        if self._is_in_body:
            self._payload.set_exception(RequestPayloadError("too much besides the body"))
