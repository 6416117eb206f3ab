"""The verdicts on merged bundles for which only the price after the discount is known.

The checkout function merges a bundle only if its promise is valid, so the promise need not be checked again. It could not be
checked anyway, because the order does not contain the prices for which the promise was made.
"""

from decimal import Decimal

from bundlesvc.domain.checkout.cart_bundles import CartBundle
from bundlesvc.domain.checkout.cart_checks import unit_counts
from bundlesvc.domain.checkout.discount_promise import DiscountClaims
from bundlesvc.domain.money import presentment_units
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.promises import StoredPromise
from bundlesvc.domain.orders.proving.charge import Charge, charge_of
from bundlesvc.domain.orders.proving.promised_price import market_of, stored_bound
from bundlesvc.domain.orders.verdict import DIFFERS, EQUAL, PROMISE_UNKNOWN, UNEXPLAINED, Verdict

CUT = 1
"""Minor units that may be missing because the platform truncates the discount instead of rounding it."""


def is_net(order: Order, bundle: CartBundle) -> bool:
    """Whether, for at least one line of the bundle, only the price after the bundle's discount is known."""
    ids = {line.id for line in bundle.lines}
    return any(line.net for line in order.lines if line.id in ids)


def net_verdict(
    order: Order,
    bundle: CartBundle,
    signed: DiscountClaims | None,
    stored: StoredPromise | None,
    shop_currency: str,
) -> Verdict:
    """Return the verdict on a bundle. In the market of the signed promise, the charge is judged by this promise; elsewhere, by
    the shop's own price at the order's rate."""
    charge = charge_of(order, bundle)
    if signed is not None and _is_in_market(order, bundle, signed):
        promised = presentment_units(market_of(signed).discounted, order.currency)
        return _judged(charge, signed.bundle_id, promised, Decimal(CUT), None)
    known = signed or stored
    if known is None:
        return charge.verdict(None, PROMISE_UNKNOWN)
    promised = presentment_units(known.discounted * order.rate, order.currency)
    bound = max(Decimal(CUT), stored_bound(order, bundle.unit_count, shop_currency))
    return _judged(charge, known.bundle_id, promised, bound, "market_changed")


def _is_in_market(order: Order, bundle: CartBundle, signed: DiscountClaims) -> bool:
    return market_of(signed).is_in(order.country, order.currency) and signed.covers(unit_counts(bundle.lines))


def _judged(charge: Charge, bundle_id: int, promised: int, bound: Decimal, elsewhere: str | None) -> Verdict:
    """Return the verdict on a charge. `elsewhere` is the cause to state for a difference beyond `bound`, or None where there is
    no such cause."""
    if charge.final == promised:
        return charge.verdict(bundle_id, EQUAL, promised)
    if charge.purchase == promised:
        cause: str | None = "edited"
    elif abs(charge.listed - charge.own_discount - promised) > bound:
        cause = elsewhere
    else:
        cause = "other_discount" if charge.other_discounts else "rounding"
    return charge.verdict(bundle_id, DIFFERS if cause else UNEXPLAINED, promised, cause)
