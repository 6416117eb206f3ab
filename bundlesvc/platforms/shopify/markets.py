"""What a country's markets are to its buyers: currency, price adjustment, price list, publications."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bundlesvc.domain.money import ZERO
from bundlesvc.platforms.shopify.inquiry import Inquiry
from bundlesvc.platforms.shopify.scalars import amount, at

Node = Mapping[str, Any]

_OF_THE_UNITED_STATES = frozenset("AS FM GU MH MP PR PW VI".split())
"""Shopify keeps these as provinces of the United States."""
_UNKNOWN = frozenset({"AQ"})
"""Nobody ships there: Shopify has no such country."""


@dataclass(frozen=True, slots=True)
class ResolvedMarket:
    """How the shop sells in a country. `adjustment` in percent of the shop's price; `rate`: market currency per shop
    currency, only where the merchant set one; `price_list` (a gid) has `fixed_prices` prices of its own, in
    `list_currency`; `publications` (gids): what is on one of them is sold there, everything when there are none."""

    country: str
    shop_currency: str
    currency: str
    adjustment: Decimal
    rate: Decimal | None
    price_list: str | None
    list_currency: str | None
    fixed_prices: int
    publications: tuple[str, ...]


def country_code(country: str) -> str | None:
    """Shopify's code for a country; None for one that it does not know."""
    if country in _UNKNOWN:
        return None
    return "US" if country in _OF_THE_UNITED_STATES else country


async def resolved_market(inquiry: Inquiry, country: str) -> ResolvedMarket:
    """What buyers get in a country of Shopify's."""
    data = await inquiry.run("resolved_market", country=country)
    with inquiry.reading():
        return _resolved(data["marketsResolvedValues"], country, data["shop"]["currencyCode"])


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
    """In percent, negative for a lower price."""
    if adjustment is None:
        return ZERO
    value = amount(str(adjustment["value"]))
    return -value if adjustment["type"] == "PERCENTAGE_DECREASE" else value


def _rate(catalogs: Iterable[Node], currency: str) -> Decimal | None:
    """The merchant's own rate, when the catalogs' markets agree on it."""
    markets = [market for catalog in catalogs for market in catalog["markets"]["nodes"]]
    settings = [at(market, "currencySettings", "baseCurrency") for market in markets]
    rates = {setting["manualRate"] for setting in settings if setting and setting["currencyCode"] == currency}
    written = rates.pop() if len(rates) == 1 else None
    rate = None if written is None else amount(written)
    return rate or None


def _publications(catalogs: Sequence[Node]) -> tuple[str, ...]:
    """None where some catalog has no publication: there the sales channel alone decides."""
    publications = [at(catalog, "publication", "id") for catalog in catalogs]
    return () if None in publications else tuple(dict.fromkeys(publications))
