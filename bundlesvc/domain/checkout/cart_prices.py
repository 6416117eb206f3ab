"""The amount to charge for the lines of a bundle. It is the promised amount when the lines are bought in the promised market, at
the prices for which the promise was made."""

from decimal import ROUND_HALF_UP, Decimal

from bundlesvc.domain.checkout.cart_bundles import CartBundle, Step
from bundlesvc.domain.checkout.discount_promise import MAX_AMOUNT, DiscountClaims, Terms
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.checkout.plan_price import amount_of, less
from bundlesvc.domain.checkout.unbound_promise import unbound_amount
from bundlesvc.domain.money import HUNDRED, ZERO, presentment_price_text

PERCENTAGE_STEP = Decimal("0.00000001")
"""The precision of discount percentages. Eight decimal places make the discounted amount exact to the minor unit for amounts of
up to 10^10 minor units."""


def promised_amount(claims: DiscountClaims, bundle: CartBundle, step: Step) -> Decimal:
    """Return the amount to charge for the lines after the bundle's discount, in the cart's currency. Raises NoDiscount."""
    if bundle.amount > MAX_AMOUNT:
        raise _prices_changed(claims.original, bundle)
    if claims.terms is None:
        amount = unbound_amount(claims, bundle, step.currency)
        if amount is None:
            raise _prices_changed(claims.original, bundle)
    else:
        amount = _bound_amount(claims, claims.terms, bundle, step)
    return min(amount, bundle.amount)


def percentage_off(original: Decimal, discounted: Decimal) -> Decimal:
    """Return the discount as a percentage of the original amount."""
    if discounted >= original:
        return ZERO
    return ((original - discounted) * HUNDRED / original).quantize(PERCENTAGE_STEP, ROUND_HALF_UP)


def _bound_amount(claims: DiscountClaims, terms: Terms, bundle: CartBundle, step: Step) -> Decimal:
    """Return the amount to charge under a promise that is bound to a market. If the promise includes a percentage that is valid
    in every market, the percentage is taken off the lines' current price, even if that price has changed. When a line has a
    selling plan, the promise is valid only in the market it names, because prices elsewhere do not show which plan was chosen.
    Raises NoDiscount."""
    currency = step.currency.code if step.currency else claims.currency
    if terms.anywhere is not None and not bundle.has_selling_plan:
        return less(bundle.amount, terms.anywhere, currency)
    if not terms.market.is_in(step.country, currency):
        raise NoDiscount(
            "market_changed",
            promised=_market(terms.market.country, terms.market.currency),
            found=_market(step.country, currency),
        )
    amount = amount_of(terms.market, claims.subscription, bundle)
    if amount is None:
        raise _prices_changed(terms.market.original, bundle)
    return amount


def _market(country: str | None, currency: str) -> str:
    return f"{country} ({currency})" if country else f"no country ({currency})"


def _prices_changed(promised: Decimal, bundle: CartBundle) -> NoDiscount:
    return NoDiscount(
        "prices_changed", promised=presentment_price_text(promised), found=presentment_price_text(bundle.amount)
    )
