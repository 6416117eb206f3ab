"""The deliveries of subscriptions. The first order of a configured bundle with a selling plan is judged by the promise from the
configure endpoint. Every later order is a renewal, which is judged by the plan's price."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from bundlesvc.domain.checkout.cart import BUNDLE_DATA, BUNDLE_FEE
from bundlesvc.domain.orders.order import Order, OrderLine
from bundlesvc.domain.orders.promises import Promises
from bundlesvc.domain.orders.proving.charge import charge_of_lines
from bundlesvc.domain.orders.verdict import DIFFERS, EQUAL, FIRST, RENEWAL, Verdict


def time_order(order: Order) -> tuple[int, str]:
    """Return the key that sorts the orders of a shop by time, earliest first."""
    return order.placed_at, order.id


def as_delivery(order: Order, verdict: Verdict, promises: Promises) -> Verdict:
    """Convert the verdict to a verdict on a delivery, if the bundle has a selling plan. The order counts as the first delivery
    unless an earlier order of the same configured bundle is known. Several shoppers can share a ghost variant, so the order's
    subscription contract determines which configured bundle was ordered."""
    if not has_selling_plan(order, verdict.line_ids):
        return verdict
    contract = contract_of(order, verdict)
    if contract is not None and not _is_marked(order, verdict):
        verdict = replace(verdict, configured_id=promises.contracts.get(contract, verdict.configured_id))
    first = promises.first_orders.get(verdict.configured_id)
    if first is None or time_order(order) <= first:
        return replace(verdict, delivery=FIRST)
    return as_renewal(order, verdict)


def with_marks(order: Order, marks: Mapping[str, str]) -> Order:
    """Add the `_bundle_data` property to lines that lack it but belong to the contract of a known subscription. Not every
    platform repeats the properties of the first order in later orders."""
    return replace(order, lines=tuple(_with_mark(line, marks) for line in order.lines)) if marks else order


def _with_mark(line: OrderLine, marks: Mapping[str, str]) -> OrderLine:
    mark = marks.get(line.contract or "")
    if mark is None or line.selling_plan is None or {BUNDLE_DATA, BUNDLE_FEE} & line.properties.keys():
        return line
    return replace(line, properties={**line.properties, BUNDLE_DATA: mark})


def _is_marked(order: Order, verdict: Verdict) -> bool:
    return any(line.bundle_data is not None for line in order.lines if line.id in verdict.line_ids)


def has_selling_plan(order: Order, line_ids: Collection[str]) -> bool:
    """Whether any of these lines was bought with a selling plan."""
    return any(line.selling_plan is not None for line in order.lines if line.id in line_ids)


def as_renewal(order: Order, verdict: Verdict) -> Verdict:
    """Return the verdict on a renewal. The promised amount is the lines' price under the selling plan, minus the bundle's own
    discount."""
    lines = [line for line in order.lines if line.id in verdict.line_ids]
    charge = charge_of_lines(order, verdict.configured_id, lines)
    promised = charge.listed - charge.own_discount
    if charge.final == promised:
        judged = charge.verdict(verdict.bundle_id, EQUAL, promised)
    else:
        cause = "edited" if charge.purchase == promised else "other_discount"
        judged = charge.verdict(verdict.bundle_id, DIFFERS, promised, cause)
    return replace(judged, delivery=RENEWAL)


def contract_of(order: Order, verdict: Verdict) -> str | None:
    """Return the subscription contract of a bundle's lines; None when the lines belong to no contract."""
    return next((line.contract for line in order.lines if line.id in verdict.line_ids and line.contract), None)
