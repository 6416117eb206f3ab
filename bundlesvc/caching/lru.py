"""A mapping that is bounded by bytes: the least recently used leave."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, TypeVar

V = TypeVar("V")

OVERHEAD = 250
"""What an entry takes beside its key and value, about, in bytes."""


class LruMapping(MutableMapping[str, V]):
    """Holds no more than `max_bytes`; `size` says how many bytes a value takes."""

    def __init__(self, max_bytes: int, size: Callable[[V], int]) -> None:
        self._max_bytes = max_bytes
        self._size = size
        self._entries: OrderedDict[str, V] = OrderedDict()
        self.bytes = 0

    def __getitem__(self, key: str) -> V:
        value = self._entries[key]
        self._entries.move_to_end(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        value = self._entries.get(key)
        if value is None:
            return default
        self._entries.move_to_end(key)
        return value

    def __setitem__(self, key: str, value: V) -> None:
        if key in self._entries:
            del self[key]
        self._entries[key] = value
        self.bytes += self._cost(key, value)
        while self.bytes > self._max_bytes:
            self.bytes -= self._cost(*self._entries.popitem(last=False))

    def __delitem__(self, key: str) -> None:
        self.bytes -= self._cost(key, self._entries.pop(key))

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def _cost(self, key: str, value: V) -> int:
        return OVERHEAD + len(key) + self._size(value)
