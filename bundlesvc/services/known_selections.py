"""Caches what was calculated for a selection, for the next shopper who makes the same selection. This is common for boxes with
few possible contents."""

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.selection import SelectedItem, SelectionRequest
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.lru import LruMapping
from bundlesvc.newcomers import Newcomers

MAX_COST = 5000
"""The maximum cost of a cache. Each distinct item of a selection costs 1, which is at most 4 kB, without its product. The least
recently used selections are dropped."""

T = TypeVar("T")


class SelectionKey(NamedTuple):
    """Everything that the results for a selection depend on. `items` are the distinct items in the order of the request, and
    `counts` the number of units of each; the positions of the units are not part of the key."""

    shop_id: int
    revision: int
    bundle_id: int
    country: str | None
    type: str | None
    items: tuple[SelectedItem, ...]
    counts: tuple[int, ...]


def selection_key(tenant: Tenant, bundle: Bundle, request: SelectionRequest) -> SelectionKey | None:
    """Return the key of a selection, or None if its results cannot be cached, because they depend on more than the key.

    Results for shops on a live platform are not cached: prices and stock can change at any time there, but on the embedded
    platform only with the shop's revision. Nor are results for selections with a subscription or with a discount computed by the
    client."""
    if (
        request.subscription is not None
        or request.conditions_discount is not None
        or tenant.shop.platform.kind != EMBEDDED
    ):
        return None
    units = request.units
    counts = tuple(map(len, units.values()))
    return SelectionKey(tenant.id, tenant.revision, bundle.id, request.country, request.type, tuple(units), counts)


class KnownSelections(Generic[T]):
    """A cache with one result per selection, for results that depend only on the key. A selection is added when it is requested
    for the second time: adding and dropping selections that are requested only once would take longer than the cache saves.
    Selections with answers to personalisation fields are not added: they are rarely repeated, and contain what a shopper wrote.

    `extra_cost` is the cost of a result in addition to that of its items."""

    def __init__(self, extra_cost: Callable[[T], int] = lambda _: 0, max_cost: int = MAX_COST) -> None:
        self._results: LruMapping[SelectionKey, T] = LruMapping(
            max_cost, lambda key, result: len(key.items) + extra_cost(result)
        )
        self._newcomers = Newcomers()

    def get(self, key: SelectionKey | None) -> T | None:
        """Return the result that is cached for this key, or None."""
        return None if key is None else self._results.get(key)

    def add(self, key: SelectionKey | None, result: T) -> None:
        """Cache the result for a selection that is requested for the second time. Positions of units in the result are those of
        one request, and must not be used for another one."""
        if key is None or any(item.answers for item in key.items):
            return
        if self._newcomers.comes_again(key):
            self._results[key] = result
