"""Subscription contracts on live platforms."""

from dataclasses import dataclass

from bundlesvc.domain.subscription import ACTIVE, CANCELLED, PENDING


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract by its id on the platform, with the order that it began with. `ended`: "cancelled" or "expired", None
    while it goes on."""

    id: str
    origin_order: str | None
    ended: str | None


def status_of(ended: str | None, cancelled_orders: list[bool], before: str) -> str:
    """The status of a subscription that was `before`: of its contract if that has ended, else by which of its orders were
    cancelled. Without an order it stays as it was, unless its order has lost the selling plan."""
    if ended is not None:
        return ended
    if cancelled_orders:
        return CANCELLED if all(cancelled_orders) else ACTIVE
    return PENDING if before == ACTIVE else before
