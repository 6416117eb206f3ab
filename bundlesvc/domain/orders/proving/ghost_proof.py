"""Checks the charges for bundles that are sold as ghost variants. The promise is the price of the variant, and no checkout
function discounts it."""

from collections.abc import Sequence
from decimal import Decimal

from bundlesvc.domain.money import presentment_units
from bundlesvc.domain.orders.order import Order, OrderLine
from bundlesvc.domain.orders.promises import Promises, StoredPromise
from bundlesvc.domain.orders.proving.charge import Charge, charge_of_lines
from bundlesvc.domain.orders.proving.promised_price import stored_bound
from bundlesvc.domain.orders.verdict import DIFFERS, EQUAL, UNEXPLAINED, Verdict


def ghost_verdicts(order: Order, promises: Promises, shop_currency: str) -> list[Verdict]:
    """Return a verdict on each line that is a ghost variant. If several promises were made for the variant, the verdict uses the
    one whose price is nearest to that of the line."""
    return [
        _verdict(order, line, _nearest(order, line, found), shop_currency)
        for line in order.lines
        if line.quantity and (found := promises.ghosts.get((line.variant_id, line.selling_plan is not None)))
    ]


def _nearest(order: Order, line: OrderLine, promises: Sequence[StoredPromise]) -> StoredPromise:
    return min(promises, key=lambda promise: abs(line.listed - _promised(order, line, promise)))


def _promised(order: Order, line: OrderLine, promise: StoredPromise) -> int:
    return line.quantity * presentment_units(promise.discounted * order.rate, order.currency)


def _verdict(order: Order, line: OrderLine, promise: StoredPromise, shop_currency: str) -> Verdict:
    charge = charge_of_lines(order, promise.configured_id, [line])
    promised = _promised(order, line, promise)
    if charge.final == promised:
        return charge.verdict(promise.bundle_id, EQUAL, promised)
    cause = _cause(order, line, charge, promise, promised, shop_currency)
    return charge.verdict(promise.bundle_id, DIFFERS if cause else UNEXPLAINED, promised, cause)


def _cause(
    order: Order, line: OrderLine, charge: Charge, promise: StoredPromise, promised: int, shop_currency: str
) -> str | None:
    if charge.purchase == promised:
        return "edited"
    if charge.own_discount:
        return None
    off = abs(charge.listed - promised)
    if off <= _bound(order, line, promise, shop_currency):
        return "other_discount" if charge.other_discounts else _rounding(line, order.currency, shop_currency)
    return "market_changed" if promise.country != order.country else "price_changed"


def _rounding(line: OrderLine, currency: str, shop_currency: str) -> str:
    return "subscription_rounding" if line.selling_plan and currency == shop_currency else "rounding"


def _bound(order: Order, line: OrderLine, promise: StoredPromise, shop_currency: str) -> Decimal:
    """Return the rounding bound for ghost variants (docs/contract.md#presentment), plus, with a selling plan, half a minor unit
    per unit."""
    units = sum(promise.units.values())
    plan = Decimal(units) / 2 if line.selling_plan else Decimal(0)
    return line.quantity * (stored_bound(order, units, shop_currency) + plan)
