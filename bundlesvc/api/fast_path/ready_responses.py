"""Ready responses to GETs, and their table."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from sys import getsizeof

from bundlesvc.api.fast_path.replies import Reply
from bundlesvc.api.response_cache.entry import Entry, EntryKey
from bundlesvc.domain.assignment import Exposure

MAX_BYTES = 32 * 1024 * 1024
OVERHEAD = 1024
"""Bytes that a ready response takes besides its key and its head."""

MAX_KEY = 1024
"""Characters in the texts of a key. A request with more is handled by the application: no page sends it again and again."""

IDLE_SECONDS = 60.0
MAX_IDLE_SECONDS = 600.0
"""A ready response that nobody used for this long is dropped."""

USE_SECONDS = 1.0
"""How exactly the time of the last use is known: noting it costs as much as finding the response."""

MAX_NEWCOMERS = 8192

ReadyKey = tuple[object, ...]


@dataclass(slots=True, weakref_slot=True)
class Ready:
    """A response but for the values of the varying headers, and the entry that it is made of, with its key. `found_by` is its
    key in the table, which alone holds it: a weak reference to it is empty once it has left. `exposure` is set when it shows a
    visitor the arm of an A/B test."""

    reply: Reply
    key: EntryKey
    entry: Entry
    found_by: ReadyKey = ()
    exposure: Exposure | None = None
    used_at: float = 0.0

    def size(self, key: ReadyKey) -> int:
        """The memory that it takes, in bytes. The body is one of its entry's, where it is counted."""
        return OVERHEAD + sum(map(getsizeof, self.reply.head.pieces)) + sum(map(getsizeof, _texts(key)))


class ReadyTable:
    """The ready responses, up to a limit of bytes. One enters when its request comes for the second time, and takes the place
    only of what nobody used for a minute: a flood of different requests takes nothing from others. A response leaves
    together with the cache entry that it was made from."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._ready: OrderedDict[ReadyKey, Ready] = OrderedDict()
        self._of_entry: dict[EntryKey, set[ReadyKey]] = {}
        self._newcomers: set[int] = set()
        self.size = 0

    def __len__(self) -> int:
        return len(self._ready)

    def get(self, key: ReadyKey) -> Ready | None:
        return self._ready.get(key)

    def use(self, ready: Ready, now: float) -> None:
        """Note that a ready response is used. Once in `USE_SECONDS` is enough."""
        ready.used_at = now
        self._ready.move_to_end(ready.found_by)

    def put(self, key: ReadyKey, ready: Ready, now: float) -> None:
        if sum(map(len, _texts(key))) > MAX_KEY:
            return
        if key in self._ready:
            self.drop(key)
        elif not self.comes_again(key):
            return
        size = ready.size(key)
        if size <= self._max_bytes // 8 and self._make_room(size, now):
            ready.found_by, ready.used_at = key, now
            self._ready[key] = ready
            self._of_entry.setdefault(ready.key, set()).add(key)
            self.size += size

    def drop(self, key: ReadyKey) -> None:
        ready = self._ready.pop(key)
        self.size -= ready.size(key)
        others = self._of_entry[ready.key]
        others.discard(key)
        if not others:
            del self._of_entry[ready.key]

    def drop_entry(self, key: EntryKey) -> None:
        """Drop all that is made of this entry."""
        for ready in tuple(self._of_entry.get(key, ())):
            self.drop(ready)

    def expire(self, now: float) -> None:
        """Drop what nobody used for long. Call it now and then."""
        while self._ready:
            oldest, ready = next(iter(self._ready.items()))
            if now - ready.used_at < MAX_IDLE_SECONDS:
                return
            self.drop(oldest)

    def comes_again(self, key: ReadyKey) -> bool:
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
            oldest, ready = next(iter(self._ready.items()))
            if now - ready.used_at < IDLE_SECONDS:
                return False
            self.drop(oldest)
        return True


def _texts(key: ReadyKey) -> Iterator[str]:
    """The texts in a key, which clients choose."""
    for part in key:
        if isinstance(part, str):
            yield part
        elif isinstance(part, tuple):
            yield from _texts(part)
