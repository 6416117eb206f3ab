"""The figures of an order that are added up in reports (docs/reports.md), in minor units of the order's currency."""

from dataclasses import dataclass

from bundlesvc.domain.money import presentment_units
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.promises import StoredPromise
from bundlesvc.domain.orders.standing import standing_lines
from bundlesvc.domain.orders.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Sale:
    """The sale of one bundle: the units of its products and the revenue (both after edits and before refunds), the discount
    given, and the amount refunded."""

    units: int
    revenue: int
    discount: int
    refunded: int


def ghost_variant(order: Order, verdict: Verdict) -> int | None:
    """Return the ghost variant that a bundle was sold as; None for a bundle whose lines carry the `_bundle_data` property."""
    unnamed = (line for line in order.lines if line.id in verdict.line_ids and line.bundle_data is None)
    return next((line.variant_id for line in unnamed), None)


def sale_of(order: Order, verdict: Verdict, promise: StoredPromise | None) -> Sale:
    """Return the sale that a verdict is about. For a ghost variant, `promise` is the stored promise for the variant: each unit of
    the variant stands for all units of the selection, at the discounted price. For a bundle that consists of several order lines,
    `promise` is None."""
    lines = [now for now in standing_lines(order) if now.line.id in verdict.line_ids]
    units = sum(now.units for now in lines)
    discount = sum(now.line.own_discount + now.line.other_discounts for now in lines)
    if promise is not None:
        discount += units * presentment_units((promise.original - promise.discounted) * order.rate, order.currency)
        units *= sum(promise.units.values())
    return Sale(units, verdict.charged, discount, sum(now.refunded for now in lines))


def order_total(order: Order) -> int:
    """Return the charge for all lines of an order, after edits and before refunds."""
    return sum(now.charged for now in standing_lines(order))
