"""Entries in the memory of the process."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aiocache import SimpleMemoryCache
from aiocache.serializers import NullSerializer

from bundlesvc.caching.entries import head
from bundlesvc.caching.store import Claims, Kept, entry_cost
from bundlesvc.lru import LruMapping

MAX_BYTES = 64 * 1024 * 1024


class _BoundedCache(SimpleMemoryCache):  # type: ignore[misc]
    """aiocache's memory with a limit, which it has none of itself. It sets no timers: an entry says how old it is."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(serializer=NullSerializer(encoding=None), timeout=None)
        self._cache: LruMapping[str, bytes] = LruMapping(max_bytes, entry_cost)


class MemoryStore:
    """The port `Store` of one process. Nobody else claims anything here: within the process requests share their flights."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._cache: Any = _BoundedCache(max_bytes)

    async def read(self, names: Sequence[str]) -> Sequence[bytes | None]:
        found: Sequence[bytes | None] = await self._cache.multi_get(names)
        return found

    async def claim(self, heads: Mapping[str, bytes], token: str, seconds: float) -> Claims:
        there = dict(zip(heads, await self.read(list(heads)), strict=True))
        renewed = {name: raw for name, raw in there.items() if raw is not None and head(raw) != heads[name]}
        return Claims(frozenset(heads.keys() - renewed.keys()), renewed)

    async def settle(self, heads: Mapping[str, bytes], values: Mapping[str, Kept], token: str) -> None:
        """How long something is kept is not looked at: it leaves when there is no more room."""
        there = dict(zip(values, map(head, await self.read(list(values))), strict=True))
        newer = [
            (name, kept.raw)
            for name, kept in values.items()
            if there[name] == heads[name] or there[name] <= head(kept.raw)
        ]
        await self._cache.multi_set(newer)

    async def delete(self, names: Iterable[str]) -> None:
        for name in names:
            await self._cache.delete(name)
