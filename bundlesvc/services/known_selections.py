"""Caches what was calculated for a selection, for the next shopper who makes the same selection. This is common for boxes with
few possible contents."""

from collections.abc import Callable
from typing import Generic, TypeVar

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.selection import SelectedItem, SelectionRequest
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.lru import LruMapping
from bundlesvc.newcomers import Newcomers

MAX_COST = 5000
"""The maximum cost of a cache. Each distinct item of a selection costs 1, which is at most 2 kB, without its product. The least
recently used selections are dropped."""

T = TypeVar("T")

_Key = tuple[int, int, int, str | None, str | None, tuple[SelectedItem, ...], tuple[int, ...]]
"""Shop, revision, bundle, country, type, the distinct items in the order of the request, and the number of units of each."""


class KnownSelections(Generic[T]):
    """A cache with one result per selection, for results that depend on nothing else. A selection is added when it is requested
    for the second time: adding and dropping selections that are requested only once would take longer than the cache saves.

    Results for shops on a live platform are not cached: prices and stock can change at any time there, but on the embedded
    platform only with the shop's revision. Nor are results for selections with a subscription, with a discount computed by the
    client, or with answers to personalisation fields: such selections are rarely repeated, and contain what a shopper wrote.

    `extra_cost` is the cost of a result in addition to that of its items."""

    def __init__(self, extra_cost: Callable[[T], int] = lambda _: 0, max_cost: int = MAX_COST) -> None:
        self._results: LruMapping[_Key, T] = LruMapping(max_cost, lambda key, result: len(key[-1]) + extra_cost(result))
        self._newcomers = Newcomers()

    def get(self, tenant: Tenant, bundle: Bundle, request: SelectionRequest) -> T | None:
        """Return the result that is cached for this selection, or None."""
        return self._results.get(_key(tenant, bundle, request)) if _is_plain(tenant, request) else None

    def add(self, tenant: Tenant, bundle: Bundle, request: SelectionRequest, result: T) -> None:
        """Cache the result for a selection that is requested for the second time. Positions of units in the result are those of
        this request, and must not be used for another one."""
        if not _is_plain(tenant, request) or any(item.answers for item in request.units):
            return
        key = _key(tenant, bundle, request)
        if self._newcomers.comes_again(key):
            self._results[key] = result


def _is_plain(tenant: Tenant, request: SelectionRequest) -> bool:
    """Whether the result depends only on what is part of the key. Any answers are part of it."""
    return (
        request.subscription is None and request.conditions_discount is None and tenant.shop.platform.kind == EMBEDDED
    )


def _key(tenant: Tenant, bundle: Bundle, request: SelectionRequest) -> _Key:
    units = request.units
    counts = tuple(map(len, units.values()))
    return tenant.id, tenant.revision, bundle.id, request.country, request.type, tuple(units), counts
