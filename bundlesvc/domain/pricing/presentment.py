"""The price of a selection in its market's currency (docs/contract.md#presentment).

Tiers, conditions and rules are evaluated in the shop's currency (`domain/pricing/selection_price.py`). Here, the resulting
discount is applied to the market's prices.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from bundlesvc.domain.bundle import FIXED, PERCENTAGE
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.line import Line
from bundlesvc.domain.money import HUNDRED, ZERO, round_presentment
from bundlesvc.domain.pricing.selection_price import NO_DISCOUNT, PricedSelection, Pricing
from bundlesvc.domain.product import MarketPrice
from bundlesvc.immutable import immutable


@immutable
class Presentment:
    """Prices in the market's `currency`, with all decimal places of that currency. `original` includes free units at full
    price."""

    original: Decimal
    discounted: Decimal
    currency: str


@immutable
class MarketTotal:
    """A selection's prices in a market before the discount: the sum of the `paid` units and the sum of the free (`granted`)
    units. `per` units of the market's currency are worth `worth` units of the shop's currency."""

    currency: str
    paid: Decimal
    granted: Decimal
    per: Decimal
    worth: Decimal

    @property
    def original(self) -> Decimal:
        return self.rounded(self.paid + self.granted)

    def rounded(self, amount: Decimal) -> Decimal:
        return round_presentment(amount, self.currency)

    def convert(self, amount: Decimal) -> Decimal:
        """Convert an amount from the shop's currency at the market's rate, and round it. Returns zero when everything is free,
        because no rate is known in that case."""
        return self.rounded(amount * self.per / self.worth if self.worth else ZERO)


def market_total(outcome: Outcome, prices: Mapping[int, MarketPrice], shop_currency: str) -> MarketTotal | None:
    """Add up the prices of a selection in the market; `prices` is keyed by variant id. Returns None without a market, in a market
    with the shop's currency, and when the price of any unit in the market's currency is unknown."""
    first = next(iter(prices.values()), None)
    if first is None or first.presentment_currency == shop_currency:
        return None
    sums, worth = [ZERO, ZERO], ZERO
    for index, lines in enumerate((outcome.paid, outcome.granted)):
        for line in lines:
            price = prices.get(line.variant.id)
            if price is None or price.presentment_currency != first.presentment_currency:
                return None
            sums[index] += price.presentment_price * line.count
            worth += price.price_in_shop_currency * line.count
    paid, granted = sums
    rate = first.exchange_rate
    per, worth = (paid + granted, worth) if rate is None else (rate, Decimal(1))
    return MarketTotal(first.presentment_currency, paid, granted, per, worth)


def cart_total(outcome: Outcome, prices: Mapping[int, MarketPrice], shop_currency: str) -> MarketTotal:
    """Sum up the prices of a selection for a cart in its market, with all decimal places of the currency. Uses the market's
    prices where they are known, otherwise the shop's own."""
    market = market_total(outcome, prices, shop_currency)
    if market is not None:
        return market
    paid, granted = (_shop_total(lines, prices, shop_currency) for lines in (outcome.paid, outcome.granted))
    return MarketTotal(shop_currency, paid, granted, Decimal(1), Decimal(1))


def _shop_total(lines: Sequence[Line], prices: Mapping[int, MarketPrice], shop_currency: str) -> Decimal:
    return sum([_shop_price(line, prices, shop_currency) * line.count for line in lines], ZERO)


def _shop_price(line: Line, prices: Mapping[int, MarketPrice], shop_currency: str) -> Decimal:
    market = prices.get(line.variant.id)
    if market is not None and market.presentment_currency == shop_currency:
        return market.presentment_price
    return round_presentment(line.variant.price, shop_currency)


def presentment_of(total: MarketTotal, priced: PricedSelection, subscription_percentage: Decimal | None) -> Presentment:
    """Return the price in the market after two reductions, each rounded once: the discount that was applied in the shop's
    currency, then the subscription's percentage."""
    left = total.rounded(total.paid - _reduction(total, priced))
    left -= total.rounded(left * (subscription_percentage or ZERO) / HUNDRED)
    return Presentment(total.original, left, total.currency)


def converted(total: MarketTotal, pricing: Pricing) -> Presentment:
    """Return the price of a bundle in a market where it is sold at the shop's own price, converted to the market's currency
    (docs/contract.md#ghost-variants)."""
    return Presentment(total.original, min(total.convert(pricing.discounted), total.original), total.currency)


def _reduction(total: MarketTotal, priced: PricedSelection) -> Decimal:
    """Return the reduction in the price of the paid units, which never exceeds that price. Where the discount makes everything
    free in the shop's currency, everything is free in the market's currency too."""
    type_, value = priced.pricing.discount_type, priced.pricing.discount_value
    if type_ == NO_DISCOUNT:
        return ZERO
    if type_ == PERCENTAGE:
        return total.rounded(total.paid * value / HUNDRED)
    if type_ == FIXED:
        return total.paid if value >= priced.amount else min(total.convert(value), total.paid)
    return total.paid - min(total.convert(value), total.paid)
