"""The rule for promises of version 2, which name no market. The lines must cost the original price, converted at the market's
rate if the cart uses another currency. Carts may contain promises of version 2 until they reach the maximum age."""

from decimal import Decimal
from fractions import Fraction

from bundlesvc.domain.checkout.cart_bundles import CartBundle, CartCurrency
from bundlesvc.domain.checkout.discount_promise import DiscountClaims, MarketPromise
from bundlesvc.domain.checkout.plan_price import amount_of
from bundlesvc.domain.money import (
    HUNDRED,
    ZERO,
    from_presentment_units,
    half_presentment_unit,
    presentment_exponent,
)


def unbound_amount(claims: DiscountClaims, bundle: CartBundle, currency: CartCurrency | None) -> Decimal | None:
    """Return the amount to charge for the lines after the discount; None when they do not cost the promised original price."""
    if currency is None or currency.code == claims.currency:
        home = MarketPromise(None, claims.currency, claims.original, claims.discounted)
        return amount_of(home, claims.subscription, bundle)
    return _converted_amount(claims, bundle, currency)


def _converted_amount(claims: DiscountClaims, bundle: CartBundle, market: CartCurrency) -> Decimal | None:
    """Return the amount to charge in another currency: the lines' prices in that currency less the discount's percentage. Returns
    None when the lines do not cost the converted original price."""
    percentages = {ZERO, claims.subscription or ZERO} if bundle.has_selling_plan else {ZERO}
    if not any(_is_converted(claims, bundle, market, percentage) for percentage in percentages):
        return None
    if claims.discounted >= claims.original:
        return bundle.amount
    off = Fraction(bundle.amount) * Fraction(claims.original - claims.discounted) / Fraction(claims.original)
    units = int(off * 10 ** presentment_exponent(market.code) + Fraction(1, 2))
    return max(bundle.amount - from_presentment_units(units, market.code), ZERO)


def _is_converted(claims: DiscountClaims, bundle: CartBundle, market: CartCurrency, percentage: Decimal) -> bool:
    """Whether the lines cost the original price less a percentage, converted at the market's rate. Each unit may deviate by half
    a minor unit of the shop's currency, plus half a minor unit of the market's currency if there is a percentage."""
    left = Fraction(HUNDRED - percentage) / 100
    exact = Fraction(claims.original) * Fraction(market.rate) * left
    of_market = Fraction(half_presentment_unit(market.code)) if percentage else 0
    allowed = (Fraction(half_presentment_unit(claims.currency)) * Fraction(market.rate) + of_market) * bundle.unit_count
    return abs(Fraction(bundle.amount) - exact) <= allowed
