"""The price of a unit in a country (docs/contract.md#market-prices), calculated from the shop file alone."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.promises.amounts import home

Json = dict[str, Any]


@dataclass(frozen=True)
class Prices:
    """The prices in a country, per variant: `of` in `currency`, `at_home` in the shop's currency. `rate` is in units of
    `currency` per unit of the shop's currency."""

    currency: str
    rate: Fraction
    of: dict[int, Fraction]
    at_home: dict[int, Fraction]


def market_in(file: Json, country: str | None) -> Json | None:
    return next((market for market in file["markets"] if market["countryCode"] == country), None)


def prices_in(file: Json, country: str | None) -> Prices:
    """Return the variants' prices in a country, or the shop's own prices if `country` is None or has no market."""
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
