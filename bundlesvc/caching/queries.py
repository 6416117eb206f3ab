"""What is read through the cache: what each entry is good for, and the values that come back."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from bundlesvc.caching.entries import DAY_SECONDS, Entry, EntryKind, Subject
from bundlesvc.domain.platform_change import INVENTORY_ITEM, PRODUCT
from bundlesvc.domain.product import Product

K = TypeVar("K")
V = TypeVar("V")

STALE_LIFETIME = 1.0
"""Seconds for which a response made of a stale value may be cached: a fresh value is on its way."""


STALE_SECONDS = 10 * 60
"""Up to this age a stale entry is served at once and refreshed in the background; an older one only when a fetch fails."""

MICROSECONDS = 1_000_000
MAX_AHEAD = 60 * MICROSECONDS
"""How far the clocks of our computers may differ; a later time of reading is wrong."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known of a shop's changes now; `latest` is the time of the last one. Times in microseconds since 1970."""

    now: int
    changed: Mapping[Subject, int]
    latest: int

    def age(self, entry: Entry[Any]) -> float:
        """Seconds since the entry was read; 0 where another computer's clock is ahead of ours."""
        return max(0, self.now - entry.read_at) / MICROSECONDS

    def outdates(self, entry: Entry[Any]) -> bool:
        """Whether anything that the entry depends on changed since it was read, or its time of reading is wrong."""
        read_at = entry.read_at
        if read_at > self.latest:
            return read_at > self.now + MAX_AHEAD
        return any(self.changed.get(one, 0) >= read_at for one in entry.subjects)


class Grade(Enum):
    """What an entry is good for; the values are the labels of the metric."""

    FRESH = "hit"
    STALE = "stale"
    """It is served, and refreshed in the background."""

    OLD = "old"
    """It is served when a fetch fails."""

    UNUSABLE = "miss"


@dataclass(frozen=True, slots=True)
class CachedValues(Generic[K, V]):
    """Values by key, without those that the platform does not know. `age` is 0 while all are fresh, and they stay fresh for
    `lifetime` (seconds)."""

    values: Mapping[K, V]
    age: float
    lifetime: float


@dataclass(frozen=True, slots=True)
class CacheQuery(Generic[K, V]):
    """A read of many keys. `fetch` reads them from the platform, and leaves out those that it does not know. `base` begins
    the names of all entries of a shop; `subjects` says what a value depends on; no value may be older than `max_age`
    (seconds)."""

    base: str
    kind: EntryKind
    fetch: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]
    subjects: Callable[[K, V | None], tuple[Subject, ...]]
    qualifier: str = ""
    max_age: float | None = None

    def names(self, keys: Iterable[K]) -> dict[str, K]:
        """The keys by the names of their entries."""
        prefix = f"{self.base}{self.kind.name}:{self.qualifier}"
        return {f"{prefix}{key}": key for key in keys}

    def entry(self, key: K, value: V | None, read_at: int) -> Entry[V]:
        return Entry(value, read_at, self.subjects(key, value))

    def entries(self, keys: Mapping[str, K], values: Mapping[K, V], read_at: int) -> dict[str, Entry[V]]:
        """An entry for each key, also for those without a value."""
        return {name: self.entry(key, values.get(key), read_at) for name, key in keys.items()}

    def ttl_of(self, entry: Entry[V]) -> float:
        """Seconds for which an entry is fresh."""
        return self.kind.negative_ttl if entry.value is None else self.kind.ttl

    def lifetime(self, entry: Entry[V]) -> float:
        """Seconds for which an entry serves at all."""
        return self.kind.negative_ttl if entry.value is None else DAY_SECONDS

    def current(self, entries: Mapping[str, Entry[V]], moment: Moment) -> dict[str, Entry[V]]:
        """The entries that no change has outdated."""
        return {name: entry for name, entry in entries.items() if not moment.outdates(entry)}

    def grade(self, entry: Entry[V] | None, moment: Moment) -> Grade:
        """What an entry is good for now."""
        if entry is None or moment.outdates(entry):
            return Grade.UNUSABLE
        age, oldest = moment.age(entry), self.lifetime(entry)
        if age > (oldest if self.max_age is None else min(oldest, self.max_age)):
            return Grade.UNUSABLE
        if age <= self.ttl_of(entry):
            return Grade.FRESH
        return Grade.STALE if age <= STALE_SECONDS else Grade.OLD

    def values(self, names: Mapping[str, K], entries: Mapping[str, Entry[V]], moment: Moment) -> CachedValues[K, V]:
        """The values of these entries, and how long they stay fresh."""
        found: dict[K, V] = {}
        oldest, lifetime = 0.0, self.kind.ttl
        for name, key in names.items():
            entry = entries[name]
            if entry.value is not None:
                found[key] = entry.value
            age = moment.age(entry)
            oldest, lifetime = max(oldest, age), min(lifetime, self.ttl_of(entry) - age)
        return CachedValues(found, 0.0, lifetime) if lifetime > 0 else CachedValues(found, oldest, STALE_LIFETIME)


def depends_on(kind: str) -> Callable[[object, object], tuple[Subject, ...]]:
    """For values that depend on something that a shop has once."""
    subjects: tuple[Subject, ...] = ((kind, None),)
    return lambda _, __: subjects


def depends_on_product(_: object, product_id: int | None) -> tuple[Subject, ...]:
    """The value is a product's id, and depends on it."""
    return ((PRODUCT, product_id),)


def depends_on_product_and_stock(product_id: int, product: Product | None) -> tuple[Subject, ...]:
    """The value is a product, and depends on it and on the stock of its variants."""
    variants = product.variants if product else ()
    items = [variant.inventory_item_id for variant in variants]
    return (PRODUCT, product_id), *((INVENTORY_ITEM, item) for item in items if item is not None)
