"""Read-through caching: fresh values are served, stale ones are served while they are refreshed, and all others are fetched
before they are served. Requests for the same value share one fetch, both within this process and, through the store, across all
processes."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from functools import partial
from random import getrandbits
from typing import Any, TypeVar

from bundlesvc.caching.entries import CacheQuery, Entry
from bundlesvc.caching.entry_store import EntryStore, Snapshot
from bundlesvc.caching.freshness import CachedValues, ChangeTimes, Grade
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import Store
from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable, Unavailable
from bundlesvc.ports import Clock
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.single_flight import SingleFlight

logger = logging.getLogger(__name__)

K = TypeVar("K")
V = TypeVar("V")

Fetch = asyncio.Task[Mapping[str, Entry[Any]]]

POLL_SECONDS = 0.05
"""Seconds between two checks of whether another process has finished its fetch."""

PAUSE_SECONDS = 5.0
"""Seconds after a failed fetch before the same entry is fetched in the background again."""

OVERTIME = 2
"""The multiple of the timeout after which a fetch counts as hung. A platform client that keeps to its timeout is never cut
short."""

CLAIM_SHARE = 0.5
"""The share of the timeout for which a claim lasts. It is below 1 so that requests that wait for a dead process still get a
response in time. A platform that takes longer than the claim lasts may receive a request twice."""

MAX_FAILING = 10_000

MAX_ROUNDS = 3
"""The maximum number of rounds of fetching. Two always suffice: one to join a fetch that is already running, and one for a new
fetch."""


class ReadThrough:
    """A read-through cache of platform data, whose entries are kept as bytes in a `Store`. `timeout` is the number of seconds
    that the platform may take to respond."""

    def __init__(self, store: Store, clock: Clock, statistics: CacheStatistics, timeout: float) -> None:
        self._statistics = statistics
        self._store = EntryStore(store, statistics)
        self.changes = ChangeTimes(clock)
        self._fetcher = Fetcher(self._store, self.changes, clock, statistics, timeout)

    async def read(self, query: CacheQuery[K, V], keys: Iterable[K], deadline: RequestDeadline) -> CachedValues[K, V]:
        """Read the values of many keys. Raises PlatformTimeout and what `CacheQuery.fetch` raises. Raises PlatformUnavailable
        when a fetch fails and the query does not allow the use of the cached values because of their age."""
        names = query.names(keys)
        snapshot = await self._store.read(query, names)
        grades = self.changes.grades(query, names, snapshot.entries)
        self._statistics.reads.update((query.kind.name, grade) for grade in grades.values())
        due = {name: key for name, key in names.items() if grades[name] is not Grade.FRESH}
        newer = await self._refetch(query, due, snapshot, set(grades.values()), deadline) if due else {}
        return self.changes.values(query, names, snapshot.entries | newer)

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
        """Refetch the outdated entries, in the background if their old values may be used for now. Returns only the entries that
        the caller had to wait for."""
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
        """Fetch the entries, repeatedly if necessary, until each one is usable or was read from the platform after this call
        began. Raises PlatformUnavailable."""
        began_at = self.changes.next()
        found: dict[str, Entry[V]] = {}
        missing = dict(due)
        for _ in range(MAX_ROUNDS):
            for fetch in self._fetcher.fetch(query, missing, versions):
                fetched = await deadline.wait(fetch)
                found |= self._usable(
                    query, {name: fetched[name] for name in fetched.keys() & missing.keys()}, began_at
                )
            missing = {name: key for name, key in due.items() if name not in found}
            if not missing:
                return found
        raise PlatformUnavailable

    def _usable(
        self, query: CacheQuery[K, V], entries: Mapping[str, Entry[V]], began_at: int
    ) -> Mapping[str, Entry[V]]:
        older = [name for name, entry in entries.items() if entry.read_at < began_at]
        if not older:
            return entries
        grades = self.changes.grades(query, older, entries)
        return {name: entry for name, entry in entries.items() if grades.get(name) is not Grade.UNUSABLE}


class Fetcher:
    """Fetches entries from the platform, once for all callers that need them. `timeout` is the number of seconds that the
    platform may take to respond. A process that dies during a fetch holds up the others for half that time."""

    def __init__(
        self, store: EntryStore, changes: ChangeTimes, clock: Clock, statistics: CacheStatistics, timeout: float
    ) -> None:
        self._store = store
        self._clock = clock
        self._changes = changes
        self._statistics = statistics
        self._timeout = timeout
        self._fetches: SingleFlight[str, Mapping[str, Entry[Any]]] = SingleFlight()
        self._failing: dict[str, float] = {}

    def failing(self, query: CacheQuery[K, V], keys: Mapping[str, K]) -> bool:
        """Whether the last fetch from the shop's platform, or the last fetch of any of these entries, failed."""
        return query.base in self._failing or not self._failing.keys().isdisjoint(keys)

    def fetch(self, query: CacheQuery[K, V], keys: Mapping[str, K], versions: Mapping[str, bytes]) -> set[Fetch]:
        """Return the fetches for these entries: those that are in progress, and a new fetch for the entries that are not being
        fetched yet."""
        return self._fetches.join_all(keys, partial(self._run, query, keys, versions))

    def refresh(self, query: CacheQuery[K, V], keys: Mapping[str, K], versions: Mapping[str, bytes]) -> None:
        """Fetch these keys in the background, except for entries that are already being fetched or whose last fetch has just
        failed."""
        now = self._clock.monotonic()
        due = [name for name in keys if not self._fetches.running(name) and self._failing.get(name, now) <= now]
        if due:
            self._fetches.start(due, self._run(query, keys, versions, due)).add_done_callback(_log_fault)

    async def aclose(self) -> None:
        await self._fetches.aclose()

    async def _run(
        self, query: CacheQuery[K, V], keys: Mapping[str, K], versions: Mapping[str, bytes], names: Iterable[str]
    ) -> Mapping[str, Entry[V]]:
        """Fetch the entries with these names, or wait for those that another process is fetching."""
        token = f"{getrandbits(64):016x}"
        versions = {name: versions[name] for name in names}
        entries: dict[str, Entry[V]] = {}
        loop = asyncio.get_running_loop()
        waits_until = loop.time() + self._timeout
        while versions:
            claimed, refreshed = await self._store.claim(query, keys, versions, token, self._timeout * CLAIM_SHARE)
            if refreshed.versions:
                entries |= self._fresh(query, refreshed.entries)
                versions = {
                    name: version for name, version in (versions | refreshed.versions).items() if name not in entries
                }
            if loop.time() >= waits_until:
                claimed = frozenset(versions)
            if claimed:
                mine = {name: key for name, key in keys.items() if name in claimed}
                entries |= await self._fetch(query, mine, versions, token)
                versions = {name: version for name, version in versions.items() if name not in claimed}
            elif not refreshed.versions:
                await asyncio.sleep(POLL_SECONDS)
        return entries

    async def _fetch(
        self, query: CacheQuery[K, V], keys: Mapping[str, K], versions: Mapping[str, bytes], token: str
    ) -> dict[str, Entry[V]]:
        """Fetch entries from the platform, and store those whose data has not changed in the meantime."""
        read_at = self._changes.next()
        entries: dict[str, Entry[V]] = {}
        try:
            entries = query.entries(keys, await self._call_platform(query, keys), read_at)
        finally:
            unchanged = self._changes.unchanged(query, entries)
            await self._store.settle({name: versions[name] for name in keys}, unchanged, token)
        return entries

    async def _call_platform(self, query: CacheQuery[K, V], keys: Mapping[str, K]) -> Mapping[K, V]:
        """Fetch values from the platform, and count the fetch as a success or a failure. Raises PlatformTimeout when the platform
        does not respond in time."""
        try:
            async with asyncio.timeout(self._timeout * OVERTIME):
                values = await query.fetch(list(keys.values()))
        except Exception as error:
            self._statistics.fetches[query.kind.name, "failed"] += 1
            self._pause([*keys, query.base], error)
            if isinstance(error, TimeoutError):
                raise PlatformTimeout from error
            raise
        self._statistics.fetches[query.kind.name, "ok"] += 1
        for name in self._failing.keys() & {*keys, query.base}:
            del self._failing[name]
        return values

    def _pause(self, names: Iterable[str], error: Exception) -> None:
        seconds = min(PAUSE_SECONDS, error.retry_after) if isinstance(error, Unavailable) else PAUSE_SECONDS
        for name in names:
            self._failing.pop(name, None)
            self._failing[name] = self._clock.monotonic() + seconds
        while len(self._failing) > MAX_FAILING:
            del self._failing[next(iter(self._failing))]

    def _fresh(self, query: CacheQuery[K, V], entries: Mapping[str, Entry[V]]) -> dict[str, Entry[V]]:
        grades = self._changes.grades(query, entries, entries)
        return {name: entry for name, entry in entries.items() if grades[name] is Grade.FRESH}


def _log_fault(fetch: Fetch) -> None:
    """Log an unexpected error in a fetch. Failures of the platform are counted and reported elsewhere."""
    error = None if fetch.cancelled() else fetch.exception()
    if error is not None and not isinstance(error, Unavailable):
        logger.error("refreshing cached data failed", exc_info=error)
