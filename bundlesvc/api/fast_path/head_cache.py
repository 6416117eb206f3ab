"""Caches request heads that are repeated byte for byte, together with the result of parsing them.

A client that keeps its connection open sends the same head whenever it reads the same resource again, or requests the price of
another selection of the same length. The meaning of a head depends only on its bytes, so it is parsed once. Who the sender is,
whether the request is permitted, and which response is current are checked for every request.

The idempotency key of a POST is the exception: heads that differ only in it count as the same (`key_header.py`).
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol
from weakref import ReferenceType

from aiohttp import StreamReader

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.fast_path.key_header import has_only, split_head, with_key
from bundlesvc.api.fast_path.serialized_responses import SerializedResponse
from bundlesvc.domain.access.caller import Caller
from bundlesvc.newcomers import Newcomers

MAX_BYTES = 4 * 1024 * 1024
OVERHEAD = 8 * 1024
"""Bytes that a cached head takes in addition to its length: for the message and its headers, both in two forms."""

MAX_HEAD = 2048
"""The maximum length of a cached head, in bytes. Longer heads contain cookies or tokens, and rarely repeat."""

IDLE_PERIODS = 60
"""The maximum number of periods of `expire` between two rotations. A head that is not used again is dropped at the second
rotation."""

END_OF_HEAD = b"\r\n\r\n"
_POST = b"POST "


@dataclass(slots=True)
class PlainGet:
    """A GET or HEAD without a body, as parsed by the fast path. If its head is `known`, `last` refers to the response that
    `caller` last got for it."""

    message: RawRequestMessage
    path: str
    origin: str | None
    known: bool = False
    caller: Caller | None = None
    last: "ReferenceType[SerializedResponse] | None" = None


@dataclass(slots=True)
class PlainPost:
    """A POST with a body of `length` bytes, as parsed by the fast path. `caller` is the last caller that sent the same request
    head."""

    path: str
    origin: str | None
    length: int
    caller: Caller | None = None


Known = PlainGet | PlainPost


class Repeated(NamedTuple):
    """A request whose head is cached: the result of parsing the head earlier, this request's own message, and its body. In the
    cache, the message is the one that was parsed, and the body is empty."""

    known: Known
    message: RawRequestMessage
    body: bytes


class Recognise(Protocol):
    """A function that recognises a request that the fast path may answer (`FastPath.recognise`). It is called after the body of
    the request has arrived."""

    def __call__(self, message: RawRequestMessage, payload: StreamReader) -> Known | None: ...


class HeadCache:
    """A size-limited cache of the request heads that were received at least twice. It has two generations: heads used since the
    last rotation are young, and each rotation drops the old ones. Tracking every use would cost as much as the cache saves."""

    def __init__(self, recognise: Recognise, max_bytes: int = MAX_BYTES) -> None:
        self._recognise = recognise
        self._max_bytes = max_bytes
        self._young: dict[bytes, Repeated] = {}
        self._old: dict[bytes, Repeated] = {}
        self._young_bytes = self._old_bytes = 0
        self._newcomers = Newcomers()
        self._periods = 0

    @property
    def size(self) -> int:
        return self._young_bytes + self._old_bytes

    def find(self, data: bytes) -> Repeated | None:
        """Look up the cached result of parsing the request head at the start of `data`. Returns None unless `data` consists of a
        cached head and its complete body."""
        if data.startswith(_POST):
            end = data.find(END_OF_HEAD) + len(END_OF_HEAD)
            (head, header), body = split_head(data[:end]), data[end:]
            found = self._young.get(head) or self._from_old(head)
            if found is None or not isinstance(found.known, PlainPost) or found.known.length != len(body):
                return None
            return Repeated(found.known, with_key(found.message, header) if header else found.message, body)
        return self._young.get(data) or self._from_old(data)

    def _from_old(self, head: bytes) -> Repeated | None:
        """Look up a request head in the old generation, and move it to the young one."""
        found = self._old.pop(head, None)
        if found is not None:
            self._old_bytes -= _size(head)
            self._add(head, found)
        return found

    def learn(self, head: bytes, message: RawRequestMessage, payload: StreamReader) -> None:
        """Cache the parsed message of an answered request under its head, if the same head has been received before. The key of
        a POST may have been a different one."""
        if head.startswith(_POST):
            head, header = split_head(head)
            if header is not None and not has_only(message, header):
                return
        if head in self._young:  # another connection has sent it in the meantime
            return
        if not self._newcomers.comes_again(head):
            return
        known = self._recognise(message, payload)
        if isinstance(known, PlainGet):
            known.known = True
        if known is not None:
            self._add(head, Repeated(known, message, b""))

    def expire(self) -> None:
        """Drop the request heads that no client has sent for a long time. Call this method once per period."""
        self._periods += 1
        if self._periods >= IDLE_PERIODS:
            self._age()

    def _add(self, head: bytes, repeated: Repeated) -> None:
        if self._young_bytes + _size(head) > self._max_bytes // 2:
            self._age()
        self._young[head] = repeated
        self._young_bytes += _size(head)

    def _age(self) -> None:
        self._old, self._young = self._young, {}
        self._old_bytes, self._young_bytes = self._young_bytes, 0
        self._periods = 0


def _size(head: bytes) -> int:
    return OVERHEAD + len(head)
