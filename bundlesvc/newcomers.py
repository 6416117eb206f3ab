"""Recognises what comes for the second time. Caches that store only this are not filled with what is needed once."""

from collections.abc import Hashable

MAX_NEWCOMERS = 8192


class Newcomers:
    """The keys that have come once, as hashes. When there are `MAX_NEWCOMERS`, all are forgotten."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def __len__(self) -> int:
        return len(self._hashes)

    def comes_again(self, key: Hashable) -> bool:
        """Whether this key, or rarely another one with the same hash, has come before. The next time, it is new again."""
        number = hash(key)
        if number in self._hashes:
            self._hashes.discard(number)
            return True
        if len(self._hashes) >= MAX_NEWCOMERS:
            self._hashes.clear()
        self._hashes.add(number)
        return False
