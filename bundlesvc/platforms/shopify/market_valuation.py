"""What a market's prices are worth in the shop's currency (docs/decisions/0009-market-prices.md). Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.ghost_prices import MarketTerms
from bundlesvc.domain.money import HUNDRED, ZERO, round_amount
from bundlesvc.domain.product import MarketPrice
from bundlesvc.platforms.shopify.markets import ResolvedMarket


@dataclass(frozen=True, slots=True)
class Offer:
    """A variant as buyers in the market see it: `price` in `currency`, `base` the shop's own price, and whether it is sold."""

    variant_id: int
    base: Decimal
    price: Decimal
    currency: str
    sold: bool


class PriceInBoth(NamedTuple):
    """One price before and after the platform converted it."""

    shop: Decimal
    market: Decimal


def market_terms(market: ResolvedMarket) -> MarketTerms:
    """A price on the list is in the list's currency: the market's, or else the shop's, which the platform converts. Of a list
    in a third currency no rate is known: no price can be set on it."""
    in_shop_currency = market.shop_currency in (market.list_currency, market.currency)
    currency = market.shop_currency if in_shop_currency else market.currency
    rate = Decimal(1) if in_shop_currency else market.rate
    fits = market.list_currency == currency
    return MarketTerms(currency, market.adjustment, rate, market.price_list if fits else None)


def needs_price_list(market: ResolvedMarket) -> bool:
    """Whether fixed prices in a currency of unknown rate must be told from converted ones."""
    foreign = market.currency != market.shop_currency
    return foreign and market.rate is None and market.price_list is not None and market.fixed_prices > 0


def implied_rate(converted: Iterable[PriceInBoth]) -> Decimal | None:
    """Market currency per shop currency, as the platform converted these; dear ones weigh more, as rounding hides less of
    them."""
    pairs = list(converted)
    shop = sum((pair.shop for pair in pairs), ZERO)
    rate = sum((pair.market for pair in pairs), ZERO) / shop if shop else ZERO
    return rate or None


def valued(offer: Offer, market: ResolvedMarket, fixed: Collection[int], implied: Decimal | None) -> MarketPrice:
    """The offer with its worth. `fixed`: the variants whose price the price list sets in market currency; `implied`: the
    rate to take these back at where the merchant set none."""
    worth = _worth(offer, market, implied if offer.variant_id in fixed else None)
    return MarketPrice(
        round_amount(offer.price, offer.currency), offer.currency, round_amount(worth, market.shop_currency), offer.sold
    )


def _worth(offer: Offer, market: ResolvedMarket, implied: Decimal | None) -> Decimal:
    if offer.currency == market.shop_currency:
        return offer.price
    rate = market.rate or implied
    if rate is not None and offer.currency == market.currency:
        return offer.price / rate
    return offer.base * (1 + market.adjustment / HUNDRED)
