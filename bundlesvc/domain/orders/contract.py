"""Subscription contracts on live platforms."""

from dataclasses import dataclass

from bundlesvc.domain.subscription import ACTIVE, CANCELLED, PENDING


@dataclass(frozen=True, slots=True)
class Contract:
    """A subscription contract: its id on the platform, and the order that started it. `ended` is "cancelled" or "expired", or
    None while the contract continues."""

    id: str
    origin_order: str | None
    ended: str | None


def status_of(ended: str | None, cancelled_orders: list[bool], before: str) -> str:
    """Return the new status of a subscription whose status was `before`. If its contract has ended, the new status is that of
    the contract; otherwise it depends on which of the subscription's orders were cancelled. If no orders are left, the status
    stays the same, except that an active subscription becomes pending again, because the order that made it active no longer
    has a selling plan."""
    if ended is not None:
        return ended
    if cancelled_orders:
        return CANCELLED if all(cancelled_orders) else ACTIVE
    return PENDING if before == ACTIVE else before
