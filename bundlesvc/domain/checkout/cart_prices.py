"""Whether the lines of a bundle cost what its discount was made for, and what is left to take off lines with a selling plan."""

from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction

from bundlesvc.domain.checkout.cart_bundles import CartBundle, CartCurrency
from bundlesvc.domain.checkout.discount_claims import DiscountClaims
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.money import HUNDRED, ZERO, amount_text, exponent, half_unit, percentage_of

MAX_AMOUNT = Decimal(10**12)
"""What the lines of one bundle may cost."""


def check_amount(claims: DiscountClaims, bundle: CartBundle, currency: CartCurrency | None) -> None:
    """Raise NoDiscount unless the lines cost the original price."""
    market = _market(claims, currency)
    if market is None:
        holds = bundle.amount == claims.original
    else:
        holds = not market.checked or _is_converted(claims, bundle, market, ZERO)
    if not holds or bundle.amount > MAX_AMOUNT:
        raise _changed(claims, bundle)


def plan_discount(claims: DiscountClaims, bundle: CartBundle, currency: CartCurrency | None) -> int:
    """What the bundle's own discount takes off lines that a selling plan may have made cheaper, in minor units of the cart's
    currency. Raises NoDiscount."""
    if bundle.amount > MAX_AMOUNT:
        raise _changed(claims, bundle)
    market = _market(claims, currency)
    return _home_discount(claims, bundle) if market is None else _market_discount(claims, bundle, market)


def _market(claims: DiscountClaims, currency: CartCurrency | None) -> CartCurrency | None:
    """The currency of a market; None for the shop's own."""
    return None if currency is None or currency.code == claims.currency else currency


def _changed(claims: DiscountClaims, bundle: CartBundle) -> NoDiscount:
    return NoDiscount("prices_changed", promised=amount_text(claims.original), found=amount_text(bundle.amount))


def _home_discount(claims: DiscountClaims, bundle: CartBundle) -> int:
    """Lines at the original price come to the discounted one; lines at the plan's price to the discounted one less the
    subscription's percentage, which is what the shopper was promised."""
    if bundle.amount == claims.original:
        target = claims.discounted
    elif _has_plan_price(claims, bundle):
        saved = percentage_of(claims.discounted, claims.subscription, claims.currency)
        target = max(claims.discounted - saved, ZERO)
    else:
        raise _changed(claims, bundle)
    off = max(bundle.amount - target, ZERO).scaleb(exponent(claims.currency))
    return int(off.to_integral_value(ROUND_FLOOR))


def _has_plan_price(claims: DiscountClaims, bundle: CartBundle) -> bool:
    """The platform rounds the price of every unit, by at most half a minor unit."""
    exact = claims.original * (HUNDRED - claims.subscription) / HUNDRED
    allowed = half_unit(claims.currency) * bundle.unit_count
    return claims.subscription > 0 and abs(bundle.amount - exact) <= allowed


def _market_discount(claims: DiscountClaims, bundle: CartBundle, market: CartCurrency) -> int:
    """The same percentage is taken off that currency's prices."""
    percentages = {ZERO, claims.subscription}
    if market.checked and not any(_is_converted(claims, bundle, market, percentage) for percentage in percentages):
        raise _changed(claims, bundle)
    if claims.discounted >= claims.original:
        return 0
    off = Fraction(bundle.amount) * Fraction(claims.original - claims.discounted) / Fraction(claims.original)
    return int(off * 10 ** exponent(market.code) + Fraction(1, 2))


def _is_converted(claims: DiscountClaims, bundle: CartBundle, market: CartCurrency, percentage: Decimal) -> bool:
    """Whether the lines cost the original less a percentage at the market's rate. Each unit may differ by half a minor unit of
    the shop's currency, and by half a minor unit of the market's where a percentage was taken off it."""
    left = Fraction(HUNDRED - percentage) / 100
    exact = Fraction(claims.original) * Fraction(market.rate) * left
    of_market = Fraction(half_unit(market.code)) if percentage else 0
    allowed = (Fraction(half_unit(claims.currency)) * Fraction(market.rate) + of_market) * bundle.unit_count
    return abs(Fraction(bundle.amount) - exact) <= allowed
