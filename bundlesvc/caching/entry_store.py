"""Stores entries as bytes in a `Store`.

The bytes are JSON: `[<microseconds since 1970>,<value>]`. The first number always has the same length. It is the entry's
version: it states when the value was fetched, so two values can be told apart without parsing them. Nothing is pickled, so
Redis contains only data, never code.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar, get_args, get_type_hints

import orjson

from bundlesvc.caching.entries import CacheQuery, Entry
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import VERSION_BYTES, Store, StoredBytes, entry_cost, version_of
from bundlesvc.lru import LruMapping
from bundlesvc.plain_values import UNREADABLE, from_plain, to_json

K = TypeVar("K")
V = TypeVar("V")

MAX_DECODED_BYTES = 8 * 1024 * 1024
"""Memory limit for entries that are also cached in decoded form, in bytes of their JSON. Decoding an entry takes far longer than
finding it."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of the store for some names: the readable entries, and the version of each name, which is empty where nothing is
    stored."""

    entries: dict[str, Entry[Any]]
    versions: dict[str, bytes]


class EntryStore:
    """A store of entries. Bytes that cannot be decoded are counted as corrupt, and otherwise ignored."""

    def __init__(self, store: Store, statistics: CacheStatistics) -> None:
        self._store = store
        self._statistics = statistics
        self._decoded: LruMapping[str, tuple[bytes, Entry[Any]]] = LruMapping(
            MAX_DECODED_BYTES, lambda name, pair: entry_cost(name, pair[0])
        )

    async def read(self, query: CacheQuery[K, V], keys: Mapping[str, K]) -> Snapshot:
        found = await self._store.read(list(keys))
        stored = {name: raw for name, raw in zip(keys, found, strict=True) if raw is not None}
        return self._snapshot(query, keys, stored, dict.fromkeys(keys, b""))

    async def claim(
        self, query: CacheQuery[K, V], keys: Mapping[str, K], versions: Mapping[str, bytes], token: str, seconds: float
    ) -> tuple[frozenset[str], Snapshot]:
        """Claim names to fetch. Returns the names that the caller must fetch, and the entries that another process has refreshed
        since these versions were read."""
        result = await self._store.claim(versions, token, seconds)
        return result.claimed, self._snapshot(query, keys, result.refreshed, {})

    async def settle(self, versions: Mapping[str, bytes], entries: Mapping[str, Entry[Any]], token: str) -> None:
        """Store the entries and release the claims."""
        values = {
            name: StoredBytes(encode(entry.value, entry.read_at), entry.lifetime) for name, entry in entries.items()
        }
        await self._store.settle(versions, values, token)

    async def delete(self, names: Iterable[str]) -> None:
        await self._store.delete(names)

    def _snapshot(
        self, query: CacheQuery[K, V], keys: Mapping[str, K], stored: Mapping[str, bytes], versions: dict[str, bytes]
    ) -> Snapshot:
        entries: dict[str, Entry[V]] = {}
        for name, raw in stored.items():
            versions[name] = version_of(raw)
            entry = self._decode(query, name, keys[name], raw)
            if entry is not None:
                entries[name] = entry
        return Snapshot(entries, versions)

    def _decode(self, query: CacheQuery[K, V], name: str, key: K, raw: bytes) -> Entry[V] | None:
        cached = self._decoded.get(name)
        if cached is not None and cached[0] == raw:
            entry: Entry[V] = cached[1]
            return entry
        found = decode(raw, query.kind.shape)
        if found is None:
            self._statistics.corrupt += 1
            return None
        entry = query.entry(key, *found)
        self._decoded[name] = (raw, entry)
        return entry


def encode(value: object, read_at: int) -> bytes:
    return to_json([read_at, value])


def decode(raw: bytes, shape: Any) -> tuple[Any, int] | None:
    """Decode the value in these bytes, and the time when it was read. Returns None when the bytes are not an entry of this
    shape."""
    try:
        read_at, plain = orjson.loads(raw)
        if type(read_at) is not int or not raw.startswith(b"[%d," % read_at) or raw[VERSION_BYTES] != ord(","):
            return None
        return None if plain is None else from_plain(plain, shape), read_at
    except UNREADABLE:
        return None


def format_of(*shapes: Any) -> str:
    """Compute a name for the format in which values of these shapes are stored. Releases that store different fields compute
    different names."""
    described = sorted({line for shape in shapes for line in _described(shape)})
    return hashlib.sha256("\n".join([_LAYOUT, *described]).encode()).hexdigest()[:8]


_LAYOUT = "[read_at,value]"
"""The version of the layout that `encode` writes. Change the two together."""


def _described(shape: Any) -> Iterator[str]:
    for part in get_args(shape):
        yield from _described(part)
    if isinstance(shape, type) and is_dataclass(shape):
        hints = get_type_hints(shape)
        for field in fields(shape):
            yield f"{shape.__qualname__}.{field.name}: {hints[field.name]}"
            yield from _described(hints[field.name])
