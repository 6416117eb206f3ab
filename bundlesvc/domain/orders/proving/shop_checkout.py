"""The checkout function's view of an order, reconstructed by repeating the function's checks on the ordered cart."""

from dataclasses import dataclass, replace
from decimal import Decimal

from bundlesvc.domain.checkout.cart import BundlesAttribute
from bundlesvc.domain.checkout.cart_bundles import CartBundle, CartCurrency, OpenDiscount, Step, promise
from bundlesvc.domain.checkout.cart_checks import DAY
from bundlesvc.domain.checkout.cart_prices import promised_amount
from bundlesvc.domain.checkout.discount_promise import MAX_AGE_DAYS, MAX_LENGTH, DiscountClaims, read_claims
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.orders.order import Order

LONGEST_OVERRUN = 2
"""The number of days after its expiry from which a discount is certainly refused. The function may accept an expired discount for
up to a day and a half, because it knows only the date in the shop's time zone."""

EARLIEST_REFUSAL = DAY // 2
"""The largest number of seconds before a discount expires at which the function may already refuse it, because it knows only the
date in the shop's time zone."""


@dataclass(frozen=True, slots=True)
class ShopCheckout:
    """A shop's settings at checkout: its handle, its currency, the function that decrypts discount strings (it returns None when
    no key fits), and the maximum age of a discount in days."""

    shop: str
    currency: str
    open_discount: OpenDiscount
    max_age_days: int = MAX_AGE_DAYS


@dataclass(frozen=True, slots=True)
class GrantedDiscount:
    """A discount that the checkout function grants: the signed promise, and the price of the lines after the discount."""

    claims: DiscountClaims
    amount: Decimal


def checked_again(
    order: Order, bundle: CartBundle, attribute: BundlesAttribute, checkout: ShopCheckout
) -> GrantedDiscount:
    """Check a bundle as the function did at the time of the order. Raises NoDiscount.

    Near its maximum age, a discount is treated as valid if the order contains it, and otherwise as expired, because the function
    may have accepted it up to a day and a half longer or refused it half a day earlier (docs/checkout.md#age).
    """
    step = Step(
        checkout.shop,
        checkout.open_discount,
        order.placed_at,
        checkout.max_age_days,
        order.country,
        CartCurrency(order.currency, order.rate),
    )
    if _has_discount(order, bundle):
        step = replace(step, max_age_days=step.max_age_days + LONGEST_OVERRUN)
    else:
        step = replace(step, now=step.now + EARLIEST_REFUSAL)
    _, claims = promise(bundle, attribute, step)
    return GrantedDiscount(claims, promised_amount(claims, bundle, step))


def signed_promise(configured_id: int, attribute: BundlesAttribute, checkout: ShopCheckout) -> DiscountClaims | None:
    """Return the signed promise for a configured bundle in the `_bundles` attribute, whether or not it applies; None when there
    is no such promise."""
    try:
        discount = attribute.entry(configured_id).discount
    except NoDiscount:
        return None
    opened = checkout.open_discount(discount) if len(discount) <= MAX_LENGTH else None
    claims = read_claims(opened) if opened is not None else None
    if claims is None or (claims.shop, claims.configured_id) != (checkout.shop, configured_id):
        return None
    return claims


def _has_discount(order: Order, bundle: CartBundle) -> bool:
    ids = {line.id for line in bundle.lines}
    return any(line.own_discount for line in order.lines if line.id in ids)
