"""Objects read from the database, cached in the process as long as their shop's version stays the same."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from prometheus_client import Metric

from bundlesvc.domain.shop import Tenant
from bundlesvc.lru import LruMapping
from bundlesvc.metrics.families import HIT, MISS, cache_reads
from bundlesvc.single_flight import SingleFlight, result

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MAX_ENTRIES, MAX_OBJECTS = 5000, 20_000
"""The maximum number of cached objects per shop, and for all shops together. Beyond the first limit, the shop's least recently
used objects are dropped; beyond the second, all objects of the least recently used shops."""

_Entries = LruMapping[tuple[str, Any], Any]
_Wanted = tuple[int, tuple[int, int], str, Hashable]
"""The shop, its version, and the kind and key of an object."""


@dataclass(slots=True)
class _Shop:
    version: tuple[int, int]
    entries: _Entries


class RevisionCache:
    """A cache of values (None for objects that do not exist) by shop, version, kind and key. Simultaneous requests for the same
    value share one read."""

    def __init__(self, max_entries: int = MAX_ENTRIES, max_objects: int = MAX_OBJECTS) -> None:
        self._max_entries = min(max_entries, max_objects)
        self._max_objects = max_objects
        self._shops: OrderedDict[int, _Shop] = OrderedDict()
        self._objects = 0
        self._reading_one: SingleFlight[_Wanted, Any] = SingleFlight()
        self._reading_many: SingleFlight[_Wanted, Mapping[Any, Any]] = SingleFlight()
        self._reads: Counter[tuple[str, str]] = Counter()

    def __len__(self) -> int:
        """Return the number of cached objects, for all shops together."""
        return self._objects

    def get(self, tenant: Tenant, kind: str, key: Hashable) -> Any:
        """Return the cached value for a key, or None when no value is cached."""
        return self._entries(tenant).get((kind, key))

    async def one(self, tenant: Tenant, kind: str, key: K, read: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Return the value of a key, from the cache if possible and otherwise from the database."""
        entries = self._entries(tenant)
        try:
            found: V = entries[kind, key]
        except KeyError:
            self._reads[kind, MISS] += 1
        else:
            self._reads[kind, HIT] += 1
            return found
        value: V = await self._reading_one.join((tenant.id, tenant.version, kind, key), read)
        self._store(tenant, entries, {(kind, key): value})
        return value

    async def many(
        self,
        tenant: Tenant,
        kind: str,
        keys: Iterable[K],
        read: Callable[[list[K]], Coroutine[Any, Any, Mapping[K, V]]],
    ) -> dict[K, V]:
        """Return the values of those keys that have a value. Values that are not cached are read together."""
        entries = self._entries(tenant)
        wanted = list(dict.fromkeys(keys))
        # Look up cached values first: they may be evicted during the read.
        values = {key: entries[kind, key] for key in wanted if (kind, key) in entries}
        missing = [key for key in wanted if key not in values]
        self._reads[kind, HIT] += len(values)
        self._reads[kind, MISS] += len(missing)
        if missing:
            found = await self._read(tenant, kind, missing, read)
            values |= {key: found.get(key) for key in missing}
            self._store(tenant, entries, {(kind, key): values[key] for key in missing})
        return {key: values[key] for key in wanted if values[key] is not None}

    async def _read(
        self,
        tenant: Tenant,
        kind: str,
        keys: list[K],
        read: Callable[[list[K]], Coroutine[Any, Any, Mapping[K, V]]],
    ) -> dict[K, V]:
        by_wanted: dict[_Wanted, K] = {(tenant.id, tenant.version, kind, key): key for key in keys}
        tasks = self._reading_many.join_all(by_wanted, lambda missing: read([by_wanted[wanted] for wanted in missing]))
        found: dict[K, V] = {}
        for task in tasks:
            found.update(await result(task))
        return found

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of this cache (the collector interface of prometheus_client)."""
        yield cache_reads("objects", self._reads)

    def _store(self, tenant: Tenant, entries: _Entries, values: Mapping[tuple[str, Any], Any]) -> None:
        """Store values in these entries, which may be outdated by now. Then evict whole shops, least recently used first, until
        the cache is no larger than its limit."""
        before = len(entries)
        for key, value in values.items():
            entries[key] = value
        shop = self._shops.get(tenant.id)
        if shop is not None and shop.entries is entries:
            self._objects += len(entries) - before
        while self._objects > self._max_objects:
            _, dropped = self._shops.popitem(last=False)
            self._objects -= len(dropped.entries)

    def _entries(self, tenant: Tenant) -> _Entries:
        shop = self._shops.get(tenant.id)
        if shop is None or shop.version < tenant.version:
            self._objects -= 0 if shop is None else len(shop.entries)
            shop = self._shops[tenant.id] = _Shop(tenant.version, LruMapping(self._max_entries))
        self._shops.move_to_end(tenant.id)
        # A request that began before the change gets its own mapping: its values must not be stored under the new version.
        return shop.entries if shop.version == tenant.version else LruMapping(self._max_entries)
