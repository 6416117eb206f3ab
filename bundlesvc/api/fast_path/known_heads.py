"""Heads of GETs that come again and again, byte for byte, and what was read of them.

A client that keeps its connection sends the same head whenever it reads the same resource again. What the head says depends on
nothing but its bytes, so it is parsed once. Who sends it, whether it may, and which response is current is found out each time.
"""

from dataclasses import dataclass
from typing import Protocol
from weakref import ReferenceType

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.fast_path.ready_responses import Ready
from bundlesvc.domain.access.caller import Caller

MAX_BYTES = 4 * 1024 * 1024
OVERHEAD = 8 * 1024
"""Bytes that a head takes besides its own: the message, its headers, and both of them in two forms."""

MAX_HEAD = 2048
"""The most bytes of a head. Longer ones carry cookies or tokens, and are rarely the same."""

IDLE_PERIODS = 60
"""A head that nobody sends for this many whole periods of `expire` leaves, at the latest after twice as many."""

MAX_NEWCOMERS = 8192


@dataclass(slots=True)
class PlainGet:
    """A GET or HEAD without a body, as far as the fast path reads it. If it is `known`, `ready` refers to the response that
    `caller` got last."""

    message: RawRequestMessage
    path: str
    origin: str | None
    known: bool = False
    caller: Caller | None = None
    ready: "ReferenceType[Ready] | None" = None


class Recognise(Protocol):
    """Reads a message (`ReadyGets.recognise`)."""

    def __call__(self, message: RawRequestMessage) -> PlainGet | None: ...


class KnownHeads:
    """The heads that came twice, up to a limit of bytes. Those that came since the last change of generations are young. A change
    drops the old ones: to note each use would cost as much as it saves."""

    def __init__(self, recognise: Recognise, max_bytes: int = MAX_BYTES) -> None:
        self._recognise = recognise
        self._max_bytes = max_bytes
        self._young: dict[bytes, PlainGet] = {}
        self._old: dict[bytes, PlainGet] = {}
        self._young_bytes = self._old_bytes = 0
        self._newcomers: set[int] = set()
        self._periods = 0

    @property
    def size(self) -> int:
        return self._young_bytes + self._old_bytes

    def get(self, head: bytes) -> PlainGet | None:
        """What was read of this head; None for one that is not known."""
        known = self._young.get(head)
        if known is None and head in self._old:
            known = self._old.pop(head)
            self._old_bytes -= _size(head)
            self._add(head, known)
        return known

    def learn(self, head: bytes, message: RawRequestMessage) -> None:
        """Remember the message of a head that was answered, if it has come before."""
        number = hash(head)
        if number not in self._newcomers:
            if len(self._newcomers) >= MAX_NEWCOMERS:
                self._newcomers.clear()
            self._newcomers.add(number)
            return
        self._newcomers.discard(number)
        get = self._recognise(message)
        if get is not None:
            get.known = True
            self._add(head, get)

    def expire(self) -> None:
        """Drop the heads that nobody sent for long. Call it once in each period."""
        self._periods += 1
        if self._periods >= IDLE_PERIODS:
            self._age()

    def _add(self, head: bytes, get: PlainGet) -> None:
        if self._young_bytes + _size(head) > self._max_bytes // 2:
            self._age()
        self._young[head] = get
        self._young_bytes += _size(head)

    def _age(self) -> None:
        self._old, self._young = self._young, {}
        self._old_bytes, self._young_bytes = self._young_bytes, 0
        self._periods = 0


def _size(head: bytes) -> int:
    return OVERHEAD + len(head)
