"""Stores for the bytes of cache entries: in the memory of one process, or in Redis for all processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from bundlesvc.batches import batches
from bundlesvc.caching.entries import DAY_SECONDS
from bundlesvc.redis.names import PREFIX, RedisUnavailable

if TYPE_CHECKING:
    from bundlesvc.redis.connection import RedisConnection

T = TypeVar("T")

VERSION_BYTES = 17
"""Length of the version at the beginning of an entry, in bytes."""

MAX_BYTES = 64 * 1024 * 1024
"""Memory limit for cached entries, in bytes."""

OVERHEAD_BYTES = 250
"""Approximate memory of an entry in addition to its name and its bytes."""

CLAIMS = f"{PREFIX}claim:"
"""The prefix of claims. It cannot be confused with the name of an entry, in which `PREFIX` is followed by the format version."""

MAX_NAMES = 500
"""The maximum number of names in one command. It is limited because Redis serves no other client while a command runs."""


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """The result of a claim: the names of the entries that the caller must now fetch, and the bytes of the entries that another
    process has refreshed since the caller read them. All other entries are claimed by another process."""

    claimed: frozenset[str]
    refreshed: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class StoredBytes:
    """Bytes to store, and the maximum number of seconds to store them for."""

    raw: bytes
    seconds: float = DAY_SECONDS


class Store(Protocol):
    """A store of byte strings, keyed by name. `versions` maps each name to the version that the caller has read; the version
    is empty where the caller found nothing."""

    async def read(self, names: Sequence[str]) -> Sequence[bytes | None]:
        """Read the bytes stored under these names. Returns them in the same order, with None for unknown names."""

    async def claim(self, versions: Mapping[str, bytes], token: str, seconds: float) -> ClaimResult:
        """Claim the names in `versions` for up to `seconds`. Once a name is claimed with a token, the caller does not claim it
        again with that token."""

    async def settle(self, versions: Mapping[str, bytes], values: Mapping[str, StoredBytes], token: str) -> None:
        """Store what was fetched for the claimed names, unless something newer is already stored, and release the claims."""

    async def delete(self, names: Iterable[str]) -> None: ...


def entry_cost(name: str, raw: bytes) -> int:
    """Return the memory that an entry takes, in bytes."""
    return OVERHEAD_BYTES + len(name) + len(raw)


def version_of(raw: bytes | None) -> bytes:
    """Return the version of an entry, given the entry's bytes; empty when there is no entry."""
    return b"" if raw is None else raw[:VERSION_BYTES]


class MemoryStore:
    """A `Store` for one process. Every attempt to claim a fetch succeeds, because a `SingleFlight` already prevents duplicate
    fetches within the process."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes

    @cached_property
    def _cache(self) -> Any:
        from bundlesvc.caching.bounded_cache import BoundedCache  # noqa: PLC0415 - only live shops need the Redis client

        return BoundedCache(self._max_bytes, entry_cost)

    async def read(self, names: Sequence[str]) -> Sequence[bytes | None]:
        found: Sequence[bytes | None] = await self._cache.multi_get(names)
        return found

    async def claim(self, versions: Mapping[str, bytes], token: str, seconds: float) -> ClaimResult:
        stored = dict(zip(versions, await self.read(list(versions)), strict=True))
        refreshed = {name: raw for name, raw in stored.items() if raw is not None and version_of(raw) != versions[name]}
        return ClaimResult(frozenset(versions.keys() - refreshed.keys()), refreshed)

    async def settle(self, versions: Mapping[str, bytes], values: Mapping[str, StoredBytes], token: str) -> None:
        """Store what was fetched. The storage time of each value is ignored, because entries are evicted when the memory is
        full."""
        stored = dict(zip(values, map(version_of, await self.read(list(values))), strict=True))
        newer = [
            (name, value.raw)
            for name, value in values.items()
            if stored[name] == versions[name] or stored[name] <= version_of(value.raw)
        ]
        await self._cache.multi_set(newer)

    async def delete(self, names: Iterable[str]) -> None:
        for name in names:
            await self._cache.delete(name)


# A claim is a separate key that expires, so that a process that dies does not hold up others for long. KEYS contains the keys of
# the entries, followed by the keys of their claims.
_CLAIM = f"""
local results, count = {{}}, #KEYS / 2
for index = 1, count do
  local name, claim = KEYS[index], KEYS[count + index]
  local version = redis.pcall('GETRANGE', name, 0, {VERSION_BYTES - 1})
  if type(version) == 'string' and version ~= '' and version ~= ARGV[index + 2] then
    results[index] = redis.call('GET', name)
  elseif redis.call('SET', claim, ARGV[1], 'NX', 'PX', ARGV[2]) then
    results[index] = 1
  else
    results[index] = 0
  end
end
return results
"""

# An entry must not replace a newer one. All versions have the same length, so they can be compared as strings.
_SETTLE = f"""
local count = #KEYS / 2
for index = 1, count do
  local name, claim = KEYS[index], KEYS[count + index]
  local seen, value, milliseconds = ARGV[3 * index - 1], ARGV[3 * index], ARGV[3 * index + 1]
  local version = redis.pcall('GETRANGE', name, 0, {VERSION_BYTES - 1})
  local newer = type(version) ~= 'string' or version == seen or version <= string.sub(value, 1, {VERSION_BYTES})
  if value ~= '' and newer then
    redis.call('SET', name, value, 'PX', milliseconds)
  end
  if redis.pcall('GET', claim) == ARGV[1] then
    redis.call('DEL', claim)
  end
end
"""

_NOTHING = StoredBytes(b"")


class RedisStore:
    """A `Store` in Redis. The keys of values that are used together contain the same hash tag (a string in braces), so that a
    Redis Cluster stores the values and their claims in one slot. Raises RedisUnavailable."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._claim = connection.client.register_script(_CLAIM)
        self._settle = connection.client.register_script(_SETTLE)

    async def read(self, names: Sequence[str]) -> Sequence[bytes | None]:
        found: list[bytes | None] = []
        for some in batches(names, MAX_NAMES):
            found += await self._connection.run(partial(self._connection.client.mget, some))
        return found

    async def claim(self, versions: Mapping[str, bytes], token: str, seconds: float) -> ClaimResult:
        """Claim names in Redis. If other processes hold the claims to all names tried so far, leave the remaining names to them
        as well. Otherwise, two processes with the same query would each fetch some of the names."""
        results: dict[str, bytes | int] = {}
        for some in batches(list(versions), MAX_NAMES):
            arguments = [token, int(seconds * 1000), *(versions[name] for name in some)]
            found = await self._run(self._claim, some, arguments)
            results |= zip(some, found, strict=True)
            if not any(results.values()):
                break
        refreshed = {name: result for name, result in results.items() if isinstance(result, bytes)}
        return ClaimResult(frozenset(name for name, result in results.items() if result == 1), refreshed)

    async def settle(self, versions: Mapping[str, bytes], values: Mapping[str, StoredBytes], token: str) -> None:
        for some in batches(list(versions), MAX_NAMES):
            arguments: list[Any] = [token]
            for name in some:
                value = values.get(name, _NOTHING)
                arguments += [versions[name], value.raw, int(value.seconds * 1000)]
            await self._run(self._settle, some, arguments)

    async def delete(self, names: Iterable[str]) -> None:
        for some in batches(list(names), MAX_NAMES):
            await self._connection.run(partial(self._connection.client.delete, *some))

    async def _run(self, script: Any, names: Sequence[str], arguments: Sequence[Any]) -> Any:
        keys = [*names, *(CLAIMS + name for name in names)]
        return await self._connection.run(partial(script, keys, arguments, self._connection.client))


class FallbackStore:
    """A `Store` that uses the `shared` store, and the process's `own` store for calls while the shared one is unavailable.
    Entries left behind in either store are harmless, because each entry records when it was read."""

    def __init__(self, shared: Store, own: Store) -> None:
        self._shared = shared
        self._own = own

    async def read(self, names: Sequence[str]) -> Sequence[bytes | None]:
        try:
            return await self._shared.read(names)
        except RedisUnavailable:
            return await self._own.read(names)

    async def claim(self, versions: Mapping[str, bytes], token: str, seconds: float) -> ClaimResult:
        try:
            return await self._shared.claim(versions, token, seconds)
        except RedisUnavailable:
            return await self._own.claim(versions, token, seconds)

    async def settle(self, versions: Mapping[str, bytes], values: Mapping[str, StoredBytes], token: str) -> None:
        try:
            await self._shared.settle(versions, values, token)
        except RedisUnavailable:
            await self._own.settle(versions, values, token)

    async def delete(self, names: Iterable[str]) -> None:
        names = list(names)
        await self._own.delete(names)
        with suppress(RedisUnavailable):
            await self._shared.delete(names)
