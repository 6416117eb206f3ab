"""A mapping with a size limit: the least recently used entries are evicted."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")


class LruMapping(Generic[K, V]):
    """A mapping whose entries together cost at most `limit`. The `cost` of an entry is 1 by default, so `limit` is the number of
    entries. The cost of an entry must not change while it is stored. `dropped` is called with the key of each entry that is
    replaced, deleted or evicted. Reading or storing an entry counts as a use; `in` and iteration do not. If `end_period` is
    called regularly, entries that have not been used for some periods are also dropped."""

    def __init__(
        self, limit: int, cost: Callable[[K, V], int] | None = None, dropped: Callable[[K], None] | None = None
    ) -> None:
        self._limit = limit
        self._cost = cost or _one
        self._dropped = dropped or _ignore
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._period = 0
        self._used_in: dict[K, int] = {}
        self.total = 0
        """The cost of all entries."""

    def __getitem__(self, key: K) -> V:
        value = self._entries[key]
        self._use(key)
        return value

    @overload
    def get(self, key: K) -> V | None: ...
    @overload
    def get(self, key: K, default: D) -> V | D: ...
    def get(self, key: K, default: object = None) -> object:
        try:
            value = self._entries[key]
        except KeyError:
            return default
        self._use(key)
        return value

    def __setitem__(self, key: K, value: V) -> None:
        entries, cost = self._entries, self._cost
        if key in entries:
            del self[key]
        entries[key] = value
        self._used_in[key] = self._period
        self.total += cost(key, value)
        while self.total > self._limit:
            del self[next(iter(entries))]

    def __delitem__(self, key: K) -> None:
        self.total -= self._cost(key, self._entries.pop(key))
        del self._used_in[key]
        self._dropped(key)

    def pop(self, key: K, default: D) -> V | D:
        if key not in self._entries:
            return default
        value = self._entries[key]
        del self[key]
        return value

    def end_period(self, idle: int) -> None:
        """End a period, and drop the entries that were not used in the last `idle` periods."""
        self._period += 1
        while self._entries and self._period - self._used_in[oldest := next(iter(self._entries))] > idle:
            del self[oldest]

    def _use(self, key: K) -> None:
        self._entries.move_to_end(key)
        self._used_in[key] = self._period

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[K]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def _one(_: object, __: object) -> int:
    return 1


def _ignore(_: object) -> None:
    """Do nothing; the default of `dropped`."""
