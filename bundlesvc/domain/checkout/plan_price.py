"""The amount to charge under a promise when a selling plan has changed the original price."""

from decimal import Decimal

from bundlesvc.domain.checkout.cart_bundles import CartBundle
from bundlesvc.domain.checkout.discount_promise import MarketPromise
from bundlesvc.domain.money import HUNDRED, ZERO, half_presentment_unit, round_presentment


def amount_of(market: MarketPromise, subscription: Decimal | None, bundle: CartBundle) -> Decimal | None:
    """Return the amount to charge for lines under a promise, or None when their sum is neither the plan's price nor the original
    price.

    At the plan's price, the amount is the discounted price less the subscription's percentage; at the original price, it is the
    discounted price. The plan's price is compared first: rounding can make it equal to the original price, but the subscriber was
    promised the lower amount."""
    if subscription and bundle.is_subscribed and _is_plan_price(market, subscription, bundle):
        return less(market.discounted, subscription, market.currency)
    return market.discounted if bundle.amount == market.original else None


def less(amount: Decimal, percentage: Decimal, currency: str) -> Decimal:
    """Return the amount minus a percentage of it. The deduction is rounded to the minor unit before it is subtracted."""
    return max(amount - round_presentment(amount * percentage / HUNDRED, currency), ZERO)


def _is_plan_price(market: MarketPromise, subscription: Decimal, bundle: CartBundle) -> bool:
    """Whether the lines add up to the price with the selling plan. The price of each unit may deviate by up to half a minor unit,
    because the platform rounds unit prices."""
    exact = market.original * (HUNDRED - subscription) / HUNDRED
    return abs(bundle.amount - exact) <= half_presentment_unit(market.currency) * bundle.unit_count
