"""What a unit costs in a country (docs/contract.md#market-prices), from the shop file itself."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.promises.amounts import home

Json = dict[str, Any]


@dataclass(frozen=True)
class Prices:
    """The prices of a country: of each variant in `currency`, and in the shop's. `rate`: currency per shop currency."""

    currency: str
    rate: Fraction
    of: dict[int, Fraction]
    at_home: dict[int, Fraction]


def market_in(file: Json, country: str | None) -> Json | None:
    return next((market for market in file["markets"] if market["countryCode"] == country), None)


def prices_in(file: Json, country: str | None) -> Prices:
    """The prices in a country. One without a market, like no country, has the shop's."""
    currency = file["shop"]["currency"]
    own = {
        int(variant["id"]): home(Fraction(variant["price"]), currency)
        for product in file["products"]
        for variant in product["variants"]
    }
    market = market_in(file, country)
    if market is None:
        return Prices(currency, Fraction(1), own, own)
    rate, factor = Fraction(market["exchangeRate"]), 1 + Fraction(market["priceAdjustment"]) / 100
    there = {
        int(variant["id"]): home(
            Fraction(market["prices"].get(variant["id"], Fraction(variant["price"]) * factor * rate)),
            market["currency"],
        )
        for product in file["products"]
        for variant in product["variants"]
    }
    return Prices(market["currency"], rate, there, {id_: home(price / rate, currency) for id_, price in there.items()})
