"""The prices in a market: fixed prices, or the shop's prices adjusted by the price list, then converted, then rounded."""

from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from bundlesvc.domain.money import HUNDRED, round_amount, round_presentment
from tests.standin.data.shop import Market, Shop, Variant


class Priced(NamedTuple):
    """A variant's price for buyers in a market, rounded, with its currency."""

    price: Decimal
    compare_at_price: Decimal | None
    currency: str


def contextual(shop: Shop, market: Market | None, variant: Variant) -> Priced:
    """Return a variant's presentment price in a market. Without a market, returns the shop's own price and currency."""
    if market is None:
        return Priced(variant.price, variant.compare_at_price, shop.currency)
    fixed = market.fixed_prices.get(variant.id)
    if fixed is not None:
        return Priced(fixed.price, fixed.compare_at_price, market.currency)
    compare_at = _adjusted_compare_at(market, variant)
    return Priced(
        _converted(market, adjusted(market, variant.price)),
        None if compare_at is None else _converted(market, compare_at),
        market.currency,
    )


def relative(shop: Shop, market: Market, variant: Variant) -> Priced:
    """Return the adjusted price before conversion. It is in the shop's currency, whatever the currency of the price list."""
    compare_at = _adjusted_compare_at(market, variant)
    return Priced(
        round_amount(adjusted(market, variant.price), shop.currency),
        None if compare_at is None else round_amount(compare_at, shop.currency),
        shop.currency,
    )


def in_shop_currency(shop: Shop, market: Market | None, priced: Priced) -> Decimal:
    """Convert a presentment price back to the shop's currency at the market's rate."""
    return round_amount(priced.price / (market.rate if market else 1), shop.currency)


def adjusted(market: Market, amount: Decimal) -> Decimal:
    return amount * (1 + market.adjustment / HUNDRED)


def _adjusted_compare_at(market: Market, variant: Variant) -> Decimal | None:
    if variant.compare_at_price is None or not market.adjusts_compare_at:
        return None
    return adjusted(market, variant.compare_at_price)


def _converted(market: Market, amount: Decimal) -> Decimal:
    converted = amount * market.rate
    if market.rounding is not None:
        converted = (converted / market.rounding).quantize(Decimal(1), ROUND_HALF_UP) * market.rounding
    return round_presentment(converted, market.currency)
