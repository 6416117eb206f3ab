"""The promised price of a bundle in the currency of an order, in minor units (docs/orders.md)."""

from decimal import Decimal

from bundlesvc.domain.checkout.cart_bundles import CartBundle
from bundlesvc.domain.checkout.cart_checks import unit_counts
from bundlesvc.domain.checkout.discount_promise import DiscountClaims, MarketPromise
from bundlesvc.domain.checkout.plan_price import amount_of, less
from bundlesvc.domain.money import ZERO, exponent, half_unit, presentment_units
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.promises import StoredPromise
from bundlesvc.domain.orders.proving.shop_checkout import GrantedDiscount


def allowed_price(order: Order, bundle: CartBundle, allowed: GrantedDiscount) -> int:
    """The promise that the function found valid: in the market of the request the price that the shopper was shown, elsewhere
    what the percentage comes to."""
    market = market_of(allowed.claims)
    shown = amount_of(market, allowed.claims.subscription, bundle)
    if shown is None or not market.is_in(order.country, order.currency):
        return presentment_units(allowed.amount, order.currency)
    return presentment_units(shown, order.currency)


def signed_price(order: Order, bundle: CartBundle, claims: DiscountClaims) -> int:
    """The price of a signed promise that did not apply: the promised amount where the units and the currency are those of the
    promise, else the same share of what the lines cost."""
    market = market_of(claims)
    units = unit_counts(bundle.lines)
    if market.currency == order.currency and claims.covers(units):
        amount = market.discounted
    else:
        amount = _share(bundle.amount, market.original, market.discounted)
    return presentment_units(_subscribed(amount, claims, bundle, order), order.currency)


def stored_price(order: Order, bundle: CartBundle, promise: StoredPromise) -> int:
    """The price of a stored promise, without the signed one: at the order's rate for the same units, else the same share of
    what the lines cost."""
    if promise.units == unit_counts(bundle.lines):
        return presentment_units(promise.discounted * order.rate, order.currency)
    return presentment_units(_share(bundle.amount, promise.original, promise.discounted), order.currency)


def rounding_bound(order: Order, units: int, shop_currency: str) -> Decimal:
    """The most by which rounding moves the charge of a percentage that is valid anywhere away from the promise, in minor units
    (docs/checkout.md#what-is-charged)."""
    return units * half_shop_unit(order, shop_currency) + Decimal("0.5")


def stored_bound(order: Order, units: int, shop_currency: str) -> Decimal:
    """The most by which a stored promise, which has the decimals that the API writes, can differ from the exact one, in minor
    units (docs/contract.md#presentment)."""
    if order.currency != shop_currency:
        return (units + 1) * 2 * half_shop_unit(order, shop_currency) + 2
    return 2 * half_shop_unit(order, shop_currency) if order.exponent > exponent(shop_currency) else ZERO


def half_shop_unit(order: Order, shop_currency: str) -> Decimal:
    """Half a minor unit of the shop's currency, in minor units of the order's."""
    return (half_unit(shop_currency) * order.rate).scaleb(order.exponent)


def _subscribed(amount: Decimal, claims: DiscountClaims, bundle: CartBundle, order: Order) -> Decimal:
    """The amount less the percentage of the subscription, when every line has a selling plan."""
    if not claims.subscription or not bundle.is_subscribed:
        return amount
    return less(amount, claims.subscription, order.currency)


def market_of(claims: DiscountClaims) -> MarketPromise:
    """The market of the promise. Version 2 has none: it promised the shop's own price."""
    if claims.terms is None:
        return MarketPromise(None, claims.currency, claims.original, claims.discounted)
    return claims.terms.market


def _share(amount: Decimal, original: Decimal, discounted: Decimal) -> Decimal:
    return amount * discounted / original if original else ZERO
