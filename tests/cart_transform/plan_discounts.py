"""A reference implementation of the compiled function's discount step (docs/discount-string.md).

If a cart contains a selling plan, its bundles get their discounts as amounts off their lines, because the platform may reject
every merge in such a cart."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from bundlesvc.domain.checkout.cart import BundlesAttribute, CartLine
from bundlesvc.domain.checkout.cart_bundles import CartBundle, Refusal, Step, cart_bundles, has_selling_plan, promise
from bundlesvc.domain.checkout.cart_prices import promised_amount
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.money import allocate, from_presentment_units, presentment_exponent

_MILLIONTHS = 6


@dataclass(frozen=True, slots=True)
class BundleDiscount:
    """The amounts to take off the lines of a bundle, in the cart's currency, one per line. They add up to the discount."""

    configured_id: int
    lines: tuple[CartLine, ...]
    amounts: tuple[Decimal, ...]


@dataclass(frozen=True, slots=True)
class Discounted:
    """The result of the discount step. Lines without a discount keep their plan's price."""

    discounts: tuple[BundleDiscount, ...]
    refusals: tuple[Refusal, ...]


def discount_plans(lines: Sequence[CartLine], attribute: str | None, step: Step) -> Discounted:
    """Run the discount step on the lines of a cart and its `_bundles` attribute. A cart without a selling plan is left to the
    cart-transform step."""
    bundles = BundlesAttribute.read(attribute)
    discounts: list[BundleDiscount] = []
    refusals: list[Refusal] = []
    for bundle in cart_bundles(lines) if has_selling_plan(lines) else ():
        try:
            discounts.append(_discount(bundle, bundles, step))
        except NoDiscount as reason:
            refusals.append(Refusal.of(reason, bundle.configured_id, [line.id for line in bundle.lines]))
    return Discounted(tuple(discounts), tuple(refusals))


def _discount(bundle: CartBundle, bundles: BundlesAttribute, step: Step) -> BundleDiscount:
    _, claims = promise(bundle, bundles, step)
    currency = step.currency.code if step.currency else claims.currency
    off = bundle.amount - promised_amount(claims, bundle, step)
    units = int(off.scaleb(presentment_exponent(currency)).to_integral_value(ROUND_FLOOR))
    weights = [int(line.amount.scaleb(_MILLIONTHS)) for line in bundle.lines]
    shares = [from_presentment_units(share, currency) for share in allocate(units, weights)]
    return BundleDiscount(bundle.configured_id, tuple(bundle.lines), tuple(shares))
