"""The freshness of entries: their age, and whether the data they depend on has changed since.

After a change, no entries need to be found and removed. Every entry records when it was read and what it depends on, no matter
where it is stored, or by which process. So even an entry that was requested before a change, and stored after it, is recognised
as outdated.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from operator import itemgetter
from typing import Any, Generic, TypeVar

from bundlesvc.caching.entries import CacheQuery, Entry, Subject
from bundlesvc.ports import Clock

K = TypeVar("K")
V = TypeVar("V")

STALE_LIFETIME = 1.0
"""Seconds for which a response made from a stale value may be cached while a fresh value is fetched."""

STALE_SECONDS = 10 * 60
"""Age in seconds up to which a stale entry is served immediately and refreshed in the background. An older entry is served only
when a fetch fails."""

MICROSECONDS = 1_000_000
MAX_AHEAD = 60 * MICROSECONDS
"""The maximum difference between the clocks of the service's hosts, in microseconds. An entry whose read time is further in the
future has a wrong time."""

MAX_SUBJECTS = 50_000
"""The maximum number of changes to remember per shop. Beyond this number, the oldest change is forgotten. By then, the entries
that this change made stale are no longer fresh anyway."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The changes to a shop's data that are known at one moment. `latest` is the time of the last change. Times are Unix
    timestamps in microseconds."""

    now: int
    changed: Mapping[Subject, int]
    latest: int

    def age(self, entry: Entry[Any]) -> float:
        """Return the seconds since the entry was read; 0 when the clock of the computer that read it is ahead of this computer's
        clock."""
        return max(0, self.now - entry.read_at) / MICROSECONDS

    def outdates(self, entry: Entry[Any]) -> bool:
        """Whether anything that the entry depends on has changed since the entry was read, or the time of that read is too far in
        the future."""
        read_at = entry.read_at
        if read_at > self.latest:
            return read_at > self.now + MAX_AHEAD
        return any(self.changed.get(one, 0) >= read_at for one in entry.subjects)


class Grade(Enum):
    """How an entry may be used. The values are labels of a metric."""

    FRESH = "hit"
    STALE = "stale"
    """The grade of an entry that is served while it is refreshed in the background."""

    OLD = "old"
    """The grade of an entry that is served only when a fetch fails."""

    UNUSABLE = "miss"


@dataclass(frozen=True, slots=True)
class CachedValues(Generic[K, V]):
    """Values by key; keys that the platform does not know are left out. `age` is 0 if all values are fresh. A response made from
    the values may be cached for `lifetime` seconds."""

    values: Mapping[K, V]
    age: float
    lifetime: float


class ChangeTimes:
    """The times of the changes known to this process. They are strictly increasing, so that a read after a change has a later
    time even if the clock has not advanced."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest = 0
        self._changed: dict[str, dict[Subject, int]] = {}

    def next(self) -> int:
        """Return the current time, or a later time if that is necessary to exceed every earlier result."""
        self._latest = max(self._now(), self._latest + 1)
        return self._latest

    def note(self, base: str, subjects: Iterable[Subject]) -> None:
        """Record that these subjects have just changed at the shop identified by `base`."""
        changed = self._changed.setdefault(base, {})
        at = self.next()
        for subject in subjects:
            changed.pop(subject, None)  # so that the latest change comes last in the dict
            changed[subject] = at
        while len(changed) > MAX_SUBJECTS:
            del changed[next(iter(changed))]

    def recall(self, base: str, changes: Iterable[tuple[Subject, int]]) -> None:
        """Record earlier changes to the shop identified by `base`, each with its time in whole seconds since 1970. Call this
        method before the first `note`."""
        now = self.next()
        changed = self._changed.setdefault(base, {})
        for subject, second in sorted(changes, key=itemgetter(1)):
            changed.pop(subject, None)
            changed[subject] = min((second + 1) * MICROSECONDS, now)

    def moment(self, base: str) -> Moment:
        """Return the present moment: the time, and the changes to the shop known so far. `base` is the prefix of the cache
        keys of the shop."""
        now, changed = self._now(), self._changed.get(base)
        if not changed:
            return Moment(now, {}, 0)
        return Moment(now, changed, changed[next(reversed(changed))])

    def grades(
        self, query: CacheQuery[K, V], names: Iterable[str], entries: Mapping[str, Entry[V]]
    ) -> dict[str, Grade]:
        """Return the current freshness grade of each entry, by name."""
        moment = self.moment(query.base)
        return {name: _grade(entries.get(name), query.max_age, moment) for name in names}

    def unchanged(self, query: CacheQuery[K, V], entries: Mapping[str, Entry[V]]) -> dict[str, Entry[V]]:
        """Return the entries that no change has made stale."""
        moment = self.moment(query.base)
        return {name: entry for name, entry in entries.items() if not moment.outdates(entry)}

    def values(
        self, query: CacheQuery[K, V], names: Mapping[str, K], entries: Mapping[str, Entry[V]]
    ) -> CachedValues[K, V]:
        """Return the values of the given entries, and how long they stay fresh."""
        moment = self.moment(query.base)
        found: dict[K, V] = {}
        oldest, lifetime = 0.0, query.kind.ttl
        for name, key in names.items():
            entry = entries[name]
            if entry.value is not None:
                found[key] = entry.value
            age = moment.age(entry)
            oldest, lifetime = max(oldest, age), min(lifetime, entry.ttl - age)
        return CachedValues(found, 0.0, lifetime) if lifetime > 0 else CachedValues(found, oldest, STALE_LIFETIME)

    def _now(self) -> int:
        return int(self._clock.now() * MICROSECONDS)


def _grade(entry: Entry[Any] | None, max_age: float | None, moment: Moment) -> Grade:
    if entry is None or moment.outdates(entry):
        return Grade.UNUSABLE
    age = moment.age(entry)
    if age > (entry.lifetime if max_age is None else min(entry.lifetime, max_age)):
        return Grade.UNUSABLE
    if age <= entry.ttl:
        return Grade.FRESH
    return Grade.STALE if age <= STALE_SECONDS else Grade.OLD
