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
    """Return the price under a promise that the checkout function found valid. In the market for which the promise was made, it
    is the price shown to the shopper; elsewhere, it is the price of the lines less the promised percentage."""
    market = market_of(allowed.claims)
    shown = amount_of(market, allowed.claims.subscription, bundle)
    if shown is None or not market.is_in(order.country, order.currency):
        return presentment_units(allowed.amount, order.currency)
    return presentment_units(shown, order.currency)


def signed_price(order: Order, bundle: CartBundle, claims: DiscountClaims) -> int:
    """Return the price that would have been charged under a signed promise that was not applied. If the promise covers the same
    units in the same currency, this price is the promised amount; otherwise the lines' price is reduced in the same proportion as
    in the promise."""
    market = market_of(claims)
    units = unit_counts(bundle.lines)
    if market.currency == order.currency and claims.covers(units):
        amount = market.discounted
    else:
        amount = _share(bundle.amount, market.original, market.discounted)
    return presentment_units(_subscribed(amount, claims, bundle, order), order.currency)


def stored_price(order: Order, bundle: CartBundle, promise: StoredPromise) -> int:
    """Return the price under a stored promise, for use when no signed promise exists. If the promise covers the same units, this
    price is the promised amount at the order's rate; otherwise the lines' price is reduced in the same proportion as in the
    promise."""
    if promise.units == unit_counts(bundle.lines):
        return presentment_units(promise.discounted * order.rate, order.currency)
    return presentment_units(_share(bundle.amount, promise.original, promise.discounted), order.currency)


def rounding_bound(order: Order, units: int, shop_currency: str) -> Decimal:
    """Return the maximum deviation from the promise, in minor units, that rounding can cause when the promised percentage is
    valid in every market (docs/checkout.md#what-is-charged)."""
    return units * half_shop_unit(order, shop_currency) + Decimal("0.5")


def stored_bound(order: Order, units: int, shop_currency: str) -> Decimal:
    """Return the maximum deviation, in minor units, of a stored promise from the exact promise. Stored promises have only as many
    decimal places as the API outputs (docs/contract.md#presentment)."""
    if order.currency != shop_currency:
        return (units + 1) * 2 * half_shop_unit(order, shop_currency) + 2
    return 2 * half_shop_unit(order, shop_currency) if order.exponent > exponent(shop_currency) else ZERO


def half_shop_unit(order: Order, shop_currency: str) -> Decimal:
    """Return half a minor unit of the shop's currency, in minor units of the order's currency."""
    return (half_unit(shop_currency) * order.rate).scaleb(order.exponent)


def _subscribed(amount: Decimal, claims: DiscountClaims, bundle: CartBundle, order: Order) -> Decimal:
    """Return the amount less the subscription's percentage if every line has a selling plan; otherwise the amount itself."""
    if not claims.subscription or not bundle.is_subscribed:
        return amount
    return less(amount, claims.subscription, order.currency)


def market_of(claims: DiscountClaims) -> MarketPromise:
    """Return the market of the promise. A version 2 promise names no market: it promises the shop's own price."""
    if claims.terms is None:
        return MarketPromise(None, claims.currency, claims.original, claims.discounted)
    return claims.terms.market


def _share(amount: Decimal, original: Decimal, discounted: Decimal) -> Decimal:
    return amount * discounted / original if original else ZERO
