"""Prices in a market are those that the platform has for that market, with the decimal places of the currency."""

from decimal import Decimal

import pytest

from bundlesvc.domain.shop import PlatformMarket
from bundlesvc.platforms.vendure.market_prices import price_in_market
from tests.platforms.vendure.test_products import product, variant

HOME = "EUR"


@pytest.mark.parametrize(
    ("currency", "rate", "own", "price", "at_home"),
    [
        ("USD", "1.10", "11.50", "11.50", "10.45"),
        ("JPY", "160", "1600", "1600", "10.00"),
        ("KWD", "0.335", "3.457", "3.457", "10.32"),
        ("KWD", "0.335", None, "6.697", "19.99"),
    ],
)
def test_price_has_the_decimals_of_its_currency(
    currency: str, rate: str, own: str | None, price: str, at_home: str
) -> None:
    (tea,) = product(variant()).variants
    market = PlatformMarket("XX", currency, Decimal(rate), None)
    found = price_in_market(tea, market, HOME, None if own is None else Decimal(own))
    assert (str(found.presentment_price), str(found.price_in_shop_currency)) == (price, at_home)
    assert found.available_for_sale == (own is not None)
