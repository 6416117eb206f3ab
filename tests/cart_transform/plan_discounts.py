"""The discount step as the compiled function must do it (docs/discount-string.md). A bundle whose lines a selling plan keeps from
becoming one gets its discount as amounts off its lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.checkout.cart import BundlesAttribute, CartLine
from bundlesvc.domain.checkout.cart_bundles import CartBundle, Refusal, Step, cart_bundles, promise
from bundlesvc.domain.checkout.cart_prices import plan_discount
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.money import allocate, from_minor_units

_MILLIONTHS = 6


@dataclass(frozen=True, slots=True)
class BundleDiscount:
    """What is taken off the lines of a bundle, in the cart's currency, line by line: the amounts add up to the discount."""

    configured_id: int
    lines: tuple[CartLine, ...]
    amounts: tuple[Decimal, ...]


@dataclass(frozen=True, slots=True)
class Discounted:
    """The result of the step. Lines in no discount cost what their plan says."""

    discounts: tuple[BundleDiscount, ...]
    refusals: tuple[Refusal, ...]


def discount_plans(lines: Sequence[CartLine], attribute: str | None, step: Step) -> Discounted:
    """Run the step on a cart: its lines, and the value of the attribute `_bundles`. Bundles without a selling plan are left to
    the cart-transform step."""
    bundles = BundlesAttribute.read(attribute)
    discounts: list[BundleDiscount] = []
    refusals: list[Refusal] = []
    for bundle in cart_bundles(lines):
        if not bundle.has_selling_plan:
            continue
        try:
            discounts.append(_discount(bundle, bundles, step))
        except NoDiscount as reason:
            refusals.append(Refusal.of(reason, bundle.configured_id, [line.id for line in bundle.lines]))
    return Discounted(tuple(discounts), tuple(refusals))


def _discount(bundle: CartBundle, bundles: BundlesAttribute, step: Step) -> BundleDiscount:
    _, claims = promise(bundle, bundles, step)
    minor_units = plan_discount(claims, bundle, step.currency)
    weights = [int(line.amount.scaleb(_MILLIONTHS)) for line in bundle.lines]
    currency = step.currency.code if step.currency else claims.currency
    shares = [from_minor_units(share, currency) for share in allocate(minor_units, weights)]
    return BundleDiscount(bundle.configured_id, tuple(bundle.lines), tuple(shares))
