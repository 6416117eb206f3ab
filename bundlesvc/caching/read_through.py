"""Reading through the cache: fresh values are served, stale ones are served while they are refreshed, and the rest is fetched
first."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from bundlesvc.caching.change_times import ChangeTimes
from bundlesvc.caching.entries import Entry
from bundlesvc.caching.entry_store import EntryStore, Snapshot
from bundlesvc.caching.fetcher import Fetcher
from bundlesvc.caching.queries import CachedValues, CacheQuery, Grade
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import Store
from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable, Unavailable
from bundlesvc.ports import Clock
from bundlesvc.request_deadline import RequestDeadline

K = TypeVar("K")
V = TypeVar("V")

MAX_ROUNDS = 3
"""One fetch that was running already, and one of our own, are always enough."""


class ReadThrough:
    """The cache over a store of bytes. `timeout`: seconds that the platform may take for a response."""

    def __init__(self, store: Store, clock: Clock, statistics: CacheStatistics, timeout: float) -> None:
        self._statistics = statistics
        self._store = EntryStore(store, statistics)
        self.changes = ChangeTimes(clock)
        self._fetcher = Fetcher(self._store, self.changes, clock, statistics, timeout)

    async def read(self, query: CacheQuery[K, V], keys: Iterable[K], deadline: RequestDeadline) -> CachedValues[K, V]:
        """The values of many keys. Raises what `CacheQuery.fetch` raises, PlatformTimeout, and PlatformUnavailable when a
        fetch fails and every cached value is older than the query allows."""
        names = query.names(keys)
        snapshot = await self._store.read(query, names)
        moment = self.changes.moment(query.base)
        grades = {name: query.grade(snapshot.entries.get(name), moment) for name in names}
        self._statistics.count_reads(query.kind.name, grades.values())
        due = {name: key for name, key in names.items() if grades[name] is not Grade.FRESH}
        newer = await self._refetch(query, due, snapshot, set(grades.values()), deadline) if due else {}
        return query.values(names, snapshot.entries | newer, self.changes.moment(query.base))

    async def add(self, query: CacheQuery[K, V], values: Mapping[K, V], read_at: int) -> None:
        """Store values that came with the response to another query."""
        entries = query.entries(query.names(values), values, read_at)
        await self._store.settle(query, dict.fromkeys(entries, b""), entries, "")

    async def delete(self, names: Iterable[str]) -> None:
        await self._store.delete(names)

    async def aclose(self) -> None:
        await self._fetcher.aclose()

    async def _refetch(
        self,
        query: CacheQuery[K, V],
        due: Mapping[str, K],
        snapshot: Snapshot,
        grades: set[Grade],
        deadline: RequestDeadline,
    ) -> dict[str, Entry[V]]:
        """New entries for those that are due; none where the old ones will do."""
        needed = Grade.UNUSABLE in grades
        if not needed and (Grade.OLD not in grades or self._fetcher.failing(query, due)):
            self._fetcher.refresh(query, due, snapshot.versions)
            return {}
        try:
            return await self._fetch(query, due, snapshot.versions, deadline)
        except Unavailable as error:
            if not needed:
                return {}
            too_old = query.max_age is not None and snapshot.entries.keys() >= due.keys()
            if too_old and isinstance(error, PlatformFailed | PlatformTimeout):
                raise PlatformUnavailable(retry_after=error.retry_after) from error
            raise

    async def _fetch(
        self, query: CacheQuery[K, V], due: Mapping[str, K], versions: Mapping[str, bytes], deadline: RequestDeadline
    ) -> dict[str, Entry[V]]:
        """Entries that are usable, or were read from the platform after this call began."""
        began_at = self.changes.next()
        found: dict[str, Entry[V]] = {}
        missing = dict(due)
        for _ in range(MAX_ROUNDS):
            for fetch in self._fetcher.fetch(query, missing, versions):
                fetched = await deadline.wait(fetch)
                for name in fetched.keys() & missing.keys():
                    entry = fetched[name]
                    if entry.read_at >= began_at or self._usable(query, entry):
                        found[name] = entry
            missing = {name: key for name, key in due.items() if name not in found}
            if not missing:
                return found
        raise PlatformUnavailable

    def _usable(self, query: CacheQuery[K, V], entry: Entry[V]) -> bool:
        return query.grade(entry, self.changes.moment(query.base)) is not Grade.UNUSABLE
