"""The amount of a promise when a selling plan has changed the original price."""

from decimal import Decimal

from bundlesvc.domain.checkout.cart_bundles import CartBundle
from bundlesvc.domain.checkout.discount_promise import MarketPromise
from bundlesvc.domain.money import HUNDRED, ZERO, half_presentment_unit, round_presentment


def amount_of(market: MarketPromise, subscription: Decimal | None, bundle: CartBundle) -> Decimal | None:
    """The amount of lines under a promise: at the plan's price the discounted price less the subscription's percentage, at the
    original price the discounted one; None when they cost something else. The plan is tried first, because its rounding can
    give the original price, and the subscriber was promised less."""
    if subscription and bundle.is_subscribed and _is_plan_price(market, subscription, bundle):
        return less(market.discounted, subscription, market.currency)
    return market.discounted if bundle.amount == market.original else None


def less(amount: Decimal, percentage: Decimal, currency: str) -> Decimal:
    """The amount with a percentage taken off that is rounded to the minor unit."""
    return max(amount - round_presentment(amount * percentage / HUNDRED, currency), ZERO)


def _is_plan_price(market: MarketPromise, subscription: Decimal, bundle: CartBundle) -> bool:
    """Whether the lines cost the plan's price. The platform rounds the price of each unit, by at most half a minor unit."""
    exact = market.original * (HUNDRED - subscription) / HUNDRED
    return abs(bundle.amount - exact) <= half_presentment_unit(market.currency) * bundle.unit_count
