"""Entries in Redis, and in the process while Redis is away."""

from collections.abc import Iterable, Mapping, Sequence

from bundlesvc.caching.store import Claims, Kept, Store
from bundlesvc.redis_connection import RedisAway


class FallbackStore:
    """The port `Store`: the `shared` one, or the process's `own`, question by question. What is left behind in either does no
    harm: each entry says how old it is."""

    def __init__(self, shared: Store, own: Store) -> None:
        self._shared = shared
        self._own = own

    async def read(self, names: Sequence[str]) -> Sequence[bytes | None]:
        try:
            return await self._shared.read(names)
        except RedisAway:
            return await self._own.read(names)

    async def claim(self, heads: Mapping[str, bytes], token: str, seconds: float) -> Claims:
        try:
            return await self._shared.claim(heads, token, seconds)
        except RedisAway:
            return await self._own.claim(heads, token, seconds)

    async def settle(self, heads: Mapping[str, bytes], values: Mapping[str, Kept], token: str) -> None:
        try:
            await self._shared.settle(heads, values, token)
        except RedisAway:
            await self._own.settle(heads, values, token)

    async def delete(self, names: Iterable[str]) -> None:
        names = list(names)
        await self._own.delete(names)
        try:
            await self._shared.delete(names)
        except RedisAway:
            return
