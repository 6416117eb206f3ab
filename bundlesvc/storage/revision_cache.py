"""Aggregates that were read from the database, kept in the process for as long as their shop's revision lasts."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bundlesvc.domain.shop import Tenant

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MAX_ENTRIES = 5000
"""Per shop; beyond it the least recently used leave. A product with ten variants takes about 6 kB."""


@dataclass(slots=True)
class _ShopEntries:
    revision: int
    by_key: OrderedDict[Any, Any] = field(default_factory=OrderedDict)


class RevisionCache:
    """What was found (also that nothing was found), by shop, revision, kind and key."""

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        self._max_entries = max_entries
        self._shops: dict[int, _ShopEntries] = {}

    async def one(self, tenant: Tenant, kind: str, key: K, read: Callable[[], Awaitable[V]]) -> V:
        """The value of one key, read when it is not at hand."""
        entries = self._entries(tenant)
        if (kind, key) in entries:
            entries.move_to_end((kind, key))
            found: V = entries[kind, key]
            return found
        value = await read()
        self._keep(entries, (kind, key), value)
        return value

    async def many(
        self, tenant: Tenant, kind: str, keys: Iterable[K], read: Callable[[list[K]], Awaitable[Mapping[K, V]]]
    ) -> dict[K, V]:
        """The values of those keys that have one; what is not at hand is read in one go."""
        entries = self._entries(tenant)
        wanted = list(dict.fromkeys(keys))
        # What is at hand is taken before anything is read: it may leave meanwhile.
        values = {key: entries[kind, key] for key in wanted if (kind, key) in entries}
        missing = [key for key in wanted if key not in values]
        if missing:
            found = await read(missing)
            values |= {key: found.get(key) for key in missing}
        for key in wanted:
            self._keep(entries, (kind, key), values[key])
        return {key: values[key] for key in wanted if values[key] is not None}

    def _entries(self, tenant: Tenant) -> OrderedDict[Any, Any]:
        shop = self._shops.get(tenant.id)
        if shop is None or shop.revision < tenant.revision:
            shop = self._shops[tenant.id] = _ShopEntries(tenant.revision)
        # A request that began before the change reads for itself: what it finds must not pass for the new revision's.
        return shop.by_key if shop.revision == tenant.revision else OrderedDict()

    def _keep(self, entries: OrderedDict[Any, Any], key: Hashable, value: object) -> None:
        entries[key] = value
        entries.move_to_end(key)
        if len(entries) > self._max_entries:
            entries.popitem(last=False)
