"""Orders with their verdicts, as they are stored and listed."""

from dataclasses import dataclass, replace
from typing import Self

from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.verdict import Verdict

STORED, UNCHANGED, OUTDATED, WITHOUT_BUNDLE = "stored", "unchanged", "outdated", "without_bundle"

RESULTS = (STORED, UNCHANGED, OUTDATED, WITHOUT_BUNDLE)
"""The possible results of receiving an order: stored; unchanged, because the same version is stored; outdated, because a higher
version is stored; without a bundle of this service, in which case only the order's total is stored."""


@dataclass(frozen=True, slots=True)
class JudgedOrder:
    """An order with a verdict on each of its bundles. A stored order omits the `_bundles` attribute, and its lines keep only this
    service's own properties."""

    order: Order
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """The filter for a list of orders, newest first: only orders with this bundle, with this verdict (an outcome or a cause),
    placed at `since` or later (seconds since 1970, UTC), and following the order `after` (its time and id) in the list."""

    bundle_id: int | None = None
    verdict: str | None = None
    since: int | None = None
    after: tuple[int, str] | None = None
    limit: int = 100

    def following(self, last: JudgedOrder) -> Self:
        """Return the filter for the next page, which starts after `last`, the last order of the current page."""
        return replace(self, after=(last.order.placed_at, last.order.id))
