"""The verdicts on an order, one for each of its bundles (docs/orders.md).

The discount that the checkout function should have applied is computed again from the cart as it was ordered. Possible causes of
a difference are tried in turn, and the first cause that explains the whole difference is reported.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.checkout.cart import BundlesAttribute
from bundlesvc.domain.checkout.cart_bundles import CartBundle, cart_bundles
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.money import presentment_units
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.promises import Promises
from bundlesvc.domain.orders.proving.charge import Charge, charge_of
from bundlesvc.domain.orders.proving.deliveries import as_delivery
from bundlesvc.domain.orders.proving.ghost_proof import ghost_verdicts
from bundlesvc.domain.orders.proving.net_proof import is_net, net_verdict
from bundlesvc.domain.orders.proving.promised_price import (
    allowed_price,
    rounding_bound,
    signed_price,
    stored_bound,
    stored_price,
)
from bundlesvc.domain.orders.proving.refusal_causes import refusal_cause
from bundlesvc.domain.orders.proving.shop_checkout import ShopCheckout, checked_again, signed_promise
from bundlesvc.domain.orders.verdict import DIFFERS, EQUAL, PROMISE_UNKNOWN, UNEXPLAINED, Verdict

ALWAYS_DISCOUNTED = 10, 12
"""The number of bundles in a cart, and of variants per bundle, up to which the function can always process the cart
(docs/checkout.md#limits)."""

CUT = 1
"""Minor units that may be missing because the platform truncates the discount of a merged bundle instead of rounding it
(docs/checkout.md#what-is-charged)."""


@dataclass(frozen=True, slots=True)
class _Case:
    """An order with its bundles, and the data used to judge them."""

    order: Order
    bundles: Sequence[CartBundle]
    attribute: BundlesAttribute
    promises: Promises
    checkout: ShopCheckout

    @property
    def is_planned(self) -> bool:
        """Whether any line has a selling plan. If so, discounts are applied to the lines, and nothing is merged."""
        return any(line.selling_plan is not None for line in self.order.lines)

    def charge(self, bundle: CartBundle) -> Charge:
        return charge_of(self.order, bundle)


@dataclass(frozen=True, slots=True)
class _Explanation:
    """The reason why a charge differs from the promise; `cause` is None when no rule explains the difference."""

    cause: str | None
    reason: str | None = None


_NONE = _Explanation(None)


def prove(order: Order, promises: Promises, checkout: ShopCheckout) -> tuple[Verdict, ...]:
    """Return one verdict for each bundle of an order: first native bundles, in the order of the lines, then bundles sold as ghost
    variants."""
    bundles = cart_bundles([line.as_cart_line(order.currency) for line in order.lines if line.quantity])
    case = _Case(order, bundles, BundlesAttribute.read(order.bundles), promises, checkout)
    verdicts = (*(_verdict(case, bundle) for bundle in bundles), *ghost_verdicts(order, promises, checkout.currency))
    return tuple(as_delivery(order, verdict, promises) for verdict in verdicts)


def _verdict(case: _Case, bundle: CartBundle) -> Verdict:
    if is_net(case.order, bundle):
        signed = signed_promise(bundle.configured_id, case.attribute, case.checkout)
        return net_verdict(
            case.order, bundle, signed, case.promises.configured.get(bundle.configured_id), case.checkout.currency
        )
    try:
        allowed = checked_again(case.order, bundle, case.attribute, case.checkout)
    except NoDiscount as refusal:
        return _refused(case, bundle, refusal.code)
    promised = allowed_price(case.order, bundle, allowed)
    due = case.charge(bundle).listed - presentment_units(allowed.amount, case.order.currency)
    return _judged(case, bundle, allowed.claims.bundle_id, promised, lambda: _explanation(case, bundle, promised, due))


def _refused(case: _Case, bundle: CartBundle, reason: str) -> Verdict:
    """Return the verdict on a bundle whose discount the function refuses, so that its lines are charged without the discount."""
    charge = case.charge(bundle)
    refused = _Explanation(refusal_cause(reason), reason) if not charge.own_discount else _NONE
    signed = signed_promise(bundle.configured_id, case.attribute, case.checkout)
    if signed is not None:
        promised = signed_price(case.order, bundle, signed)
        return _judged(case, bundle, signed.bundle_id, promised, lambda: refused)
    stored = case.promises.configured.get(bundle.configured_id)
    if stored is None:
        return charge.verdict(None, PROMISE_UNKNOWN)
    promised = stored_price(case.order, bundle, stored)
    bound = stored_bound(case.order, bundle.unit_count, case.checkout.currency)
    hidden = abs(charge.purchase - promised) <= bound
    return _judged(case, bundle, stored.bundle_id, promised, lambda: _Explanation("rounding") if hidden else refused)


def _judged(
    case: _Case, bundle: CartBundle, bundle_id: int, promised: int, explain: Callable[[], _Explanation]
) -> Verdict:
    charge = case.charge(bundle)
    if charge.final == promised:
        return charge.verdict(bundle_id, EQUAL, promised)
    found = _Explanation("edited") if charge.purchase == promised else explain()
    return charge.verdict(bundle_id, DIFFERS if found.cause else UNEXPLAINED, promised, found.cause, found.reason)


def _explanation(case: _Case, bundle: CartBundle, promised: int, due: int) -> _Explanation:
    """Explain why the charge differs from the promise although the discount was valid. `due` is the correct amount of this
    discount. With a selling plan, the bundle's discount is one of the platform's ordinary discounts, so a better discount can
    displace it."""
    charge = case.charge(bundle)
    if case.is_planned and charge.other_discounts and charge.own_discount <= due:
        return _Explanation("other_discount")
    if due and not charge.own_discount:
        return _without_discount(case)
    if abs(charge.own_discount - due) > (0 if case.is_planned else CUT):
        return _NONE
    if charge.other_discounts:
        return _Explanation("other_discount")
    return _rounding(case, bundle, abs(charge.purchase - promised))


def _without_discount(case: _Case) -> _Explanation:
    """Explain why a valid discount is missing: no function ran, or the cart was too large for all its discounts to be applied."""
    if not any(case.charge(bundle).own_discount for bundle in case.bundles):
        return _Explanation("function_inactive")
    most_bundles, most_lines = ALWAYS_DISCOUNTED
    if len(case.bundles) <= most_bundles and all(len(bundle.lines) <= most_lines for bundle in case.bundles):
        return _NONE
    return _Explanation("discount_refused", "budget_spent")


def _rounding(case: _Case, bundle: CartBundle, difference: int) -> _Explanation:
    """Explain a difference by the rounding that either a selling plan (up to half a minor unit per unit) or a percentage
    causes."""
    if bundle.has_selling_plan:
        return _Explanation("subscription_rounding") if difference <= Decimal(bundle.unit_count) / 2 else _NONE
    bound = max(Decimal(CUT), rounding_bound(case.order, bundle.unit_count, case.checkout.currency))
    return _Explanation("rounding") if difference <= bound else _NONE
