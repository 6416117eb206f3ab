"""The conversion of market prices to the shop's currency (docs/decisions/0009-market-prices.md)."""

from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.domain.product import MarketPrice
from bundlesvc.platforms.shopify.catalogue.markets import (
    Offer,
    PriceInBoth,
    ResolvedMarket,
    implied_rate,
    needs_price_list,
    valued,
)

D = Decimal
CONVERTED = ResolvedMarket("MX", "CAD", "MXN", D(-5), None, "gid://shopify/PriceList/1", "MXN", 3, ())
"""A market in which prices are five percent lower, and converted at an unknown rate."""
AT_A_KNOWN_RATE = replace(CONVERTED, rate=D("12.5"))
AT_HOME = replace(CONVERTED, currency="CAD")


def offer(price: str, currency: str = "MXN", base: str = "949.95", *, sold: bool = True) -> Offer:
    return Offer(11, D(base), D(price), currency, sold)


@pytest.mark.parametrize(
    ("market", "given", "fixed", "implied", "worth"),
    [
        (CONVERTED, offer("11709.0"), (), None, "902.45"),  # 949.95 less 5%, as in the platform's price list
        (CONVERTED, offer("11709.0"), (), D(13), "902.45"),
        (CONVERTED, offer("777.77"), (11,), D("12.9747"), "59.95"),
        (CONVERTED, offer("777.77"), (12,), D("12.9747"), "902.45"),
        (CONVERTED, offer("777.77"), (11,), None, "902.45"),  # all prices are fixed: the rate is unknown
        (AT_A_KNOWN_RATE, offer("11709.0"), (), None, "936.72"),
        (AT_A_KNOWN_RATE, offer("777.77"), (11,), D(13), "62.22"),
        (AT_HOME, offer("900.00", "CAD"), (11,), None, "900.00"),
        (CONVERTED, offer("950.00", "CAD"), (), None, "950.00"),  # no local currency: the shop's price
        (AT_A_KNOWN_RATE, offer("800.00", "USD"), (11,), None, "902.45"),  # a rate for another currency is ignored
    ],
)
def test_worth(
    market: ResolvedMarket, given: Offer, fixed: tuple[int, ...], implied: Decimal | None, worth: str
) -> None:
    assert valued(given, market, fixed, implied).price_in_shop_currency == D(worth)


def test_prices_are_rounded_to_each_currency() -> None:
    market = replace(CONVERTED, shop_currency="JPY", adjustment=D("1.5"))
    assert valued(offer("12.345", base="1001"), market, (), None) == MarketPrice(
        D("12.35"), "MXN", D(1016), available_for_sale=True
    )


@pytest.mark.parametrize("sold", [True, False])
def test_availability_is_that_of_the_market(sold: bool) -> None:
    assert valued(offer("1.0", sold=sold), CONVERTED, (), None).available_for_sale is sold


@pytest.mark.parametrize(
    ("market", "needed"),
    [
        (CONVERTED, True),
        (AT_A_KNOWN_RATE, False),
        (AT_HOME, False),
        (replace(CONVERTED, fixed_prices=0), False),
        (replace(CONVERTED, price_list=None, fixed_prices=0), False),
    ],
)
def test_when_the_price_list_must_be_read(market: ResolvedMarket, needed: bool) -> None:
    assert needs_price_list(market) is needed


@pytest.mark.parametrize(
    ("pairs", "rate"),
    [
        ([], None),
        ([("0", "0")], None),
        ([("2.00", "25.0")], D("12.5")),
        ([("1000.00", "12500.0"), ("1.00", "13.0"), ("0", "0.0")], D("12513") / D("1001")),
    ],
)
def test_implied_rate(pairs: list[tuple[str, str]], rate: Decimal | None) -> None:
    assert implied_rate(PriceInBoth(D(shop), D(market)) for shop, market in pairs) == rate
