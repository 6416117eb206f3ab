"""Events about orders: the verdict on each bundle in an order."""

from bundlesvc.domain.events.event import ORDER_PROVEN, Event, new_event_id
from bundlesvc.domain.money import from_presentment_units
from bundlesvc.domain.orders.judged import JudgedOrder


def proven_event(judged: JudgedOrder, at: int) -> Event:
    """Create the event reporting that a version of an order was stored and judged. Amounts are written with all decimal places of
    the order's currency."""
    order = judged.order

    def amount(units: int | None) -> str | None:
        return None if units is None else f"{from_presentment_units(units, order.currency):f}"

    data = {
        "orderId": order.id,
        "version": order.version,
        "name": order.name,
        "placedAt": order.placed_at,
        "currency": order.currency,
        "cancelled": order.cancelled,
        "bundles": [
            {
                "configuredBundleId": verdict.configured_id,
                "bundleId": verdict.bundle_id,
                "verdict": verdict.outcome,
                "cause": verdict.cause,
                "reason": verdict.reason,
                "promised": amount(verdict.promised),
                "charged": amount(verdict.charged),
                "difference": amount(verdict.difference),
            }
            for verdict in judged.verdicts
        ],
    }
    return Event(new_event_id(), ORDER_PROVEN, f"order:{order.id}", at, order.test, data)
