"""The terms on which a shop sells in a country (currency, price adjustment, price list, publications), and the conversion of
market prices to the shop's currency (docs/decisions/0009-market-prices.md). All functions except `resolved_market` are pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.money import HUNDRED, ZERO, round_amount, round_presentment
from bundlesvc.domain.product import MarketPrice
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.graphql import amount, at

Node = Mapping[str, Any]

_OF_THE_UNITED_STATES = frozenset("AS FM GU MH MP PR PW VI".split())
"""Countries that Shopify treats as provinces of the United States."""
_UNKNOWN = frozenset({"AQ"})
"""Countries that Shopify does not support, because nobody ships there."""


@dataclass(frozen=True, slots=True)
class ResolvedMarket:
    """The terms on which a shop sells in a country.

    `adjustment`: percentage added to the shop's price. `rate`: market currency per unit of shop currency; None unless the
    merchant set a rate. `price_list`: a gid; the list contains `fixed_prices` fixed prices, in `list_currency`. `publications`:
    gids; a variant in any of them is sold in the country; when empty, every variant is sold.
    """

    country: str
    shop_currency: str
    currency: str
    adjustment: Decimal
    rate: Decimal | None
    price_list: str | None
    list_currency: str | None
    fixed_prices: int
    publications: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A variant as buyers in the market see it: its `price` in `currency`, the shop's own price (`base`), and whether it is sold
    there."""

    variant_id: int
    base: Decimal
    price: Decimal
    currency: str
    sold: bool


class PriceInBoth(NamedTuple):
    """A price in the shop's currency, and the amount to which the platform converts it in the market's currency."""

    shop: Decimal
    market: Decimal


def country_code(country: str) -> str | None:
    """Return Shopify's code for a country; None when Shopify does not support the country."""
    if country in _UNKNOWN:
        return None
    return "US" if country in _OF_THE_UNITED_STATES else country


async def resolved_market(session: AdminSession, country: str) -> ResolvedMarket:
    """Fetch the terms on which the shop sells in a country. `country` is Shopify's code for it."""
    data = await session.run("resolved_market", country=country)
    with session.reading():
        return _resolved(data["marketsResolvedValues"], country, data["shop"]["currencyCode"])


def market_terms(market: ResolvedMarket) -> MarketTerms:
    """Return the terms for setting a ghost variant's price in this market. A price on the price list must be in the list's
    currency: either the market's currency, or the shop's, in which case the platform converts the price. No price can be set on a
    list in a third currency, because the exchange rate is unknown."""
    in_shop_currency = market.shop_currency in (market.list_currency, market.currency)
    currency = market.shop_currency if in_shop_currency else market.currency
    rate = Decimal(1) if in_shop_currency else market.rate
    fits = market.list_currency == currency
    return MarketTerms(currency, market.adjustment, rate, market.price_list if fits else None)


def needs_price_list(market: ResolvedMarket) -> bool:
    """Whether the price list must be read to distinguish fixed prices from converted ones, because the market's exchange rate is
    unknown."""
    foreign = market.currency != market.shop_currency
    return foreign and market.rate is None and market.price_list is not None and market.fixed_prices > 0


def implied_rate(converted: Iterable[PriceInBoth]) -> Decimal | None:
    """Return the exchange rate (market currency per unit of shop currency) implied by converted prices; None when there are none.
    High prices carry more weight, because rounding affects them less."""
    pairs = list(converted)
    shop = sum((pair.shop for pair in pairs), ZERO)
    rate = sum((pair.market for pair in pairs), ZERO) / shop if shop else ZERO
    return rate or None


def valued(offer: Offer, market: ResolvedMarket, fixed: Collection[int], implied: Decimal | None) -> MarketPrice:
    """Return the offer's price, and its value in the shop's currency. `fixed`: the variants whose price is set on the price list,
    in the market's currency; `implied`: the exchange rate for converting fixed prices back when the merchant has set no rate."""
    worth = _worth(offer, market, implied if offer.variant_id in fixed else None)
    has_own_currency = offer.currency == market.currency != market.shop_currency
    return MarketPrice(
        round_presentment(offer.price, offer.currency),
        offer.currency,
        round_amount(worth, market.shop_currency),
        offer.sold,
        market.rate if has_own_currency else None,
    )


def _worth(offer: Offer, market: ResolvedMarket, implied: Decimal | None) -> Decimal:
    if offer.currency == market.shop_currency:
        return offer.price
    rate = market.rate or implied
    if rate is not None and offer.currency == market.currency:
        return offer.price / rate
    return offer.base * (1 + market.adjustment / HUNDRED)


def _resolved(values: Node, country: str, shop_currency: str) -> ResolvedMarket:
    catalogs = [catalog for catalog in values["catalogs"]["nodes"] if catalog["status"] == "ACTIVE"]
    price_list = next((catalog["priceList"] for catalog in catalogs if catalog["priceList"]), None)
    return ResolvedMarket(
        country=country,
        shop_currency=shop_currency,
        currency=values["currencyCode"],
        adjustment=_adjustment(at(price_list, "parent", "adjustment")),
        rate=_rate(catalogs, values["currencyCode"]),
        price_list=at(price_list, "id"),
        list_currency=at(price_list, "currency"),
        fixed_prices=at(price_list, "fixedPricesCount") or 0,
        publications=_publications(catalogs),
    )


def _adjustment(adjustment: Node | None) -> Decimal:
    """Return the price adjustment as a percentage, negative for a lower price."""
    if adjustment is None:
        return ZERO
    value = amount(str(adjustment["value"]))
    return -value if adjustment["type"] == "PERCENTAGE_DECREASE" else value


def _rate(catalogs: Iterable[Node], currency: str) -> Decimal | None:
    """Return the merchant's own exchange rate if all markets of the catalogs have the same one; otherwise None."""
    markets = [market for catalog in catalogs for market in catalog["markets"]["nodes"]]
    settings = [at(market, "currencySettings", "baseCurrency") for market in markets]
    rates = {setting["manualRate"] for setting in settings if setting and setting["currencyCode"] == currency}
    written = rates.pop() if len(rates) == 1 else None
    rate = None if written is None else amount(written)
    return rate or None


def _publications(catalogs: Sequence[Node]) -> tuple[str, ...]:
    """Return the publications of a market. The result is empty when a catalog has no publication, because then only the sales
    channel decides what is sold."""
    publications = [at(catalog, "publication", "id") for catalog in catalogs]
    return () if None in publications else tuple(dict.fromkeys(publications))
