"""Serialized responses to GETs, head and body in bytes, and their table."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from sys import getsizeof

from bundlesvc.api.fast_path.raw_responses import RawResponse
from bundlesvc.api.response_cache.entry import Entry, EntryKey
from bundlesvc.domain.assignment import Exposure

MAX_BYTES = 32 * 1024 * 1024
OVERHEAD = 1024
"""Bytes that a serialized response takes in addition to its key and its head."""

MAX_KEY = 1024
"""The most characters in the texts of a key. A request with more is handled by the application: no page sends it repeatedly."""

IDLE_SECONDS = 60.0
MAX_IDLE_SECONDS = 600.0
"""Seconds after which an unused serialized response is dropped."""

USE_SECONDS = 1.0
"""Precision of the time of the last use, in seconds: recording it costs as much as finding the response."""

MAX_NEWCOMERS = 8192

ResponseKey = tuple[object, ...]


@dataclass(slots=True, weakref_slot=True)
class SerializedResponse:
    """A response but for the values of the varying headers, and the entry that it is made of, with its key. `found_by` is its
    key in the table, which alone holds it: a weak reference to it is empty once it has left. `exposure` is set when it shows a
    visitor the arm of an A/B test."""

    raw: RawResponse
    key: EntryKey
    entry: Entry
    found_by: ResponseKey = ()
    exposure: Exposure | None = None
    used_at: float = 0.0

    def size(self, key: ResponseKey) -> int:
        """The memory that it takes, in bytes. The body is one of its entry's, where it is counted."""
        return OVERHEAD + sum(map(getsizeof, self.raw.head.pieces)) + sum(map(getsizeof, _texts(key)))


class SerializedResponses:
    """A table up to a limit of bytes. A response enters when its request comes for the second time, and only evicts one that
    nobody used for a minute: a flood of different requests takes nothing from others. A response leaves together with the
    cache entry that it was made from."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._responses: OrderedDict[ResponseKey, SerializedResponse] = OrderedDict()
        self._of_entry: dict[EntryKey, set[ResponseKey]] = {}
        self._newcomers: set[int] = set()
        self.size = 0

    def __len__(self) -> int:
        return len(self._responses)

    def get(self, key: ResponseKey) -> SerializedResponse | None:
        return self._responses.get(key)

    def use(self, serialized: SerializedResponse, now: float) -> None:
        """Note that a serialized response is used. Once in `USE_SECONDS` is enough."""
        serialized.used_at = now
        self._responses.move_to_end(serialized.found_by)

    def put(self, key: ResponseKey, serialized: SerializedResponse, now: float) -> None:
        if sum(map(len, _texts(key))) > MAX_KEY:
            return
        if key in self._responses:
            self.drop(key)
        elif not self.comes_again(key):
            return
        size = serialized.size(key)
        if size <= self._max_bytes // 8 and self._make_room(size, now):
            serialized.found_by, serialized.used_at = key, now
            self._responses[key] = serialized
            self._of_entry.setdefault(serialized.key, set()).add(key)
            self.size += size

    def drop(self, key: ResponseKey) -> None:
        serialized = self._responses.pop(key)
        self.size -= serialized.size(key)
        others = self._of_entry[serialized.key]
        others.discard(key)
        if not others:
            del self._of_entry[serialized.key]

    def drop_entry(self, key: EntryKey) -> None:
        """Drop all that is made of this entry."""
        for serialized in tuple(self._of_entry.get(key, ())):
            self.drop(serialized)

    def expire(self, now: float) -> None:
        """Drop what nobody used for long. Call it now and then."""
        while self._responses:
            oldest, serialized = next(iter(self._responses.items()))
            if now - serialized.used_at < MAX_IDLE_SECONDS:
                return
            self.drop(oldest)

    def comes_again(self, key: ResponseKey) -> bool:
        number = hash(key)
        if number in self._newcomers:
            self._newcomers.discard(number)
            return True
        if len(self._newcomers) >= MAX_NEWCOMERS:
            self._newcomers.clear()
        self._newcomers.add(number)
        return False

    def _make_room(self, size: int, now: float) -> bool:
        while self.size + size > self._max_bytes:
            oldest, serialized = next(iter(self._responses.items()))
            if now - serialized.used_at < IDLE_SECONDS:
                return False
            self.drop(oldest)
        return True


def _texts(key: ResponseKey) -> Iterator[str]:
    """The texts in a key, which clients choose."""
    for part in key:
        if isinstance(part, str):
            yield part
        elif isinstance(part, tuple):
            yield from _texts(part)
