"""Serialised responses to GETs, with head and body as bytes, and the table that holds them."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from sys import getsizeof

from bundlesvc.api.fast_path.raw_responses import RawResponse
from bundlesvc.api.response_cache.entry import Entry, EntryKey
from bundlesvc.domain.assignment import Exposure
from bundlesvc.newcomers import Newcomers

MAX_BYTES = 32 * 1024 * 1024
OVERHEAD = 1024
"""Bytes that a serialised response takes in addition to its key and its head."""

MAX_KEY = 1024
"""The maximum number of characters in the strings of a key. Responses with longer keys are not stored, because no page sends such
requests repeatedly."""

IDLE_SECONDS = 60.0
MAX_IDLE_SECONDS = 600.0
"""Seconds after which an unused serialised response is dropped."""

USE_SECONDS = 1.0
"""Precision of the recorded time of last use, in seconds. It is low because recording a use costs as much as finding the
response."""

ResponseKey = tuple[object, ...]


@dataclass(slots=True, weakref_slot=True)
class SerializedResponse:
    """A response without the values of its varying headers, together with the cache entry it was built from and the key of that
    entry. `found_by` is the key of the response in the table. Only the table holds a strong reference to a response, so weak
    references to it are cleared once it is dropped. `exposure` is set when the response shows a visitor an arm of an A/B test."""

    raw: RawResponse
    key: EntryKey
    entry: Entry
    found_by: ResponseKey = ()
    exposure: Exposure | None = None
    used_at: float = 0.0

    def size(self, key: ResponseKey) -> int:
        """Return the memory that the response takes, in bytes. The body is not included: it is counted with the cache entry."""
        return OVERHEAD + sum(map(getsizeof, self.raw.head.pieces)) + sum(map(getsizeof, _texts(key)))


class SerializedResponses:
    """A size-limited table of serialised responses. A response is added when its request arrives for the second time, and evicts
    only responses unused for a minute, so that a flood of different requests cannot displace those in use. A response is dropped
    together with the cache entry it was built from."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._responses: OrderedDict[ResponseKey, SerializedResponse] = OrderedDict()
        self._of_entry: dict[EntryKey, set[ResponseKey]] = {}
        self._newcomers = Newcomers()
        self.size = 0

    def __len__(self) -> int:
        return len(self._responses)

    def get(self, key: ResponseKey) -> SerializedResponse | None:
        return self._responses.get(key)

    def use(self, serialized: SerializedResponse, now: float) -> None:
        """Record the use of a serialised response. Once per `USE_SECONDS` is enough."""
        serialized.used_at = now
        self._responses.move_to_end(serialized.found_by)

    def put(self, key: ResponseKey, serialized: SerializedResponse, now: float) -> None:
        if sum(map(len, _texts(key))) > MAX_KEY:
            return
        if key in self._responses:
            self.drop(key)
        elif not self._newcomers.comes_again(key):
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
        """Drop all responses built from this entry."""
        for serialized in tuple(self._of_entry.get(key, ())):
            self.drop(serialized)

    def expire(self, now: float) -> None:
        """Drop the responses that have not been used for `MAX_IDLE_SECONDS`. Call this method regularly."""
        while self._responses:
            oldest, serialized = next(iter(self._responses.items()))
            if now - serialized.used_at < MAX_IDLE_SECONDS:
                return
            self.drop(oldest)

    def _make_room(self, size: int, now: float) -> bool:
        while self.size + size > self._max_bytes:
            oldest, serialized = next(iter(self._responses.items()))
            if now - serialized.used_at < IDLE_SECONDS:
                return False
            self.drop(oldest)
        return True


def _texts(key: ResponseKey) -> Iterator[str]:
    """Yield the strings in a key, including those in nested tuples. Clients choose what these strings contain."""
    for part in key:
        if isinstance(part, str):
            yield part
        elif isinstance(part, tuple):
            yield from _texts(part)
