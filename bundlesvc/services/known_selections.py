"""Caches what was calculated for a selection, for the next shopper who chooses the same. This is common: a small box has few
possible contents, and everybody asks for the price of the box that a page shows first."""

from typing import Generic, TypeVar

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.selection import SelectedItem, SelectionRequest
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.lru import LruMapping
from bundlesvc.newcomers import Newcomers

MAX_KNOWN_ITEMS = 5000
"""The maximum number of distinct items in all cached selections together. The least recently used selections are dropped."""

T = TypeVar("T")

_Key = tuple[int, int, int, str | None, str | None, tuple[SelectedItem, ...], tuple[int, ...]]
"""Shop, revision, bundle, country, type, the distinct items in the order of the request, and the number of units of each."""


class KnownSelections(Generic[T]):
    """A cache with one result per selection, for results that depend on nothing else. A selection is added when it comes for the
    second time, because adding one takes a seventh of the time that calculating its price takes.

    Results for shops on a live platform are not cached: prices and stock can change at any time there, but on the embedded
    platform only with the shop's revision. Nor are results for selections with a subscription, with a discount computed by the
    client, or with answers to personalisation fields: they are rarely the same, and contain what a shopper wrote."""

    def __init__(self, max_items: int = MAX_KNOWN_ITEMS) -> None:
        self._results: LruMapping[_Key, T] = LruMapping(max_items, lambda key, _: len(key[-1]))
        self._newcomers = Newcomers()

    def get(self, tenant: Tenant, bundle: Bundle, request: SelectionRequest) -> T | None:
        """Return the result that is cached for this selection, or None."""
        return self._results.get(_key(tenant, bundle, request)) if _is_plain(tenant, request) else None

    def add(self, tenant: Tenant, bundle: Bundle, request: SelectionRequest, result: T) -> None:
        """Cache the result for a selection that comes for the second time. The result must not contain the positions of units in
        the request, which are not part of the key."""
        if not _is_plain(tenant, request) or any(item.answers for item in request.units):
            return
        key = _key(tenant, bundle, request)
        if self._newcomers.comes_again(key):
            self._results[key] = result


def _is_plain(tenant: Tenant, request: SelectionRequest) -> bool:
    """Whether the result depends only on what is part of the key. The key contains any answers."""
    return (
        request.subscription is None and request.conditions_discount is None and tenant.shop.platform.kind == EMBEDDED
    )


def _key(tenant: Tenant, bundle: Bundle, request: SelectionRequest) -> _Key:
    units = request.units
    counts = tuple(map(len, units.values()))
    return tenant.id, tenant.revision, bundle.id, request.country, request.type, tuple(units), counts
