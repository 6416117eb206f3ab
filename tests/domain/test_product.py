"""Stock, and prices in markets (docs/contract.md#market-prices)."""

from collections.abc import Mapping
from decimal import Decimal

import pytest

from bundlesvc.domain.product import MarketPrice, market_price, unit_price
from bundlesvc.domain.shop import Market
from tests.domain.builders import product, variant


def market(
    currency: str = "USD",
    *,
    rate: str = "1",
    adjustment: str = "0",
    prices: Mapping[int, Decimal] | None = None,
    unavailable: tuple[int, ...] = (),
) -> Market:
    return Market("US", currency, Decimal(rate), Decimal(adjustment), prices or {}, unavailable)


US = market(rate="1.10", adjustment="5", prices={12: Decimal("21.00")})
"""A market with a fixed price for variant 12."""


@pytest.mark.parametrize(
    ("there", "variant_id", "price", "shop_currency", "presentment", "in_shop_currency"),
    [
        pytest.param(US, 11, "19.99", "EUR", "23.09", "20.99", id="23.08845, and 20.990909 back"),
        pytest.param(US, 12, "19.99", "EUR", "21.00", "19.09", id="a fixed price, 19.0909 back"),
        pytest.param(market(adjustment="-10"), 11, "20.00", "EUR", "18.00", "18.00", id="a lower market"),
        pytest.param(market(adjustment="50"), 11, "10.03", "EUR", "15.05", "15.05", id="15.045 half up"),
        pytest.param(market(adjustment="12.5"), 11, "0.04", "EUR", "0.05", "0.05", id="0.045 half up"),
        pytest.param(market("JPY", rate="160"), 11, "19.99", "EUR", "3198", "19.99", id="3198.4 yen, 19.9875 back"),
        pytest.param(market("JPY", rate="150"), 11, "0.01", "EUR", "2", "0.01", id="1.5 yen half up"),
        pytest.param(market(rate="0.0065"), 11, "1000", "JPY", "6.50", "1000", id="a shop in yen"),
        pytest.param(market(rate="0.0065"), 11, "1001", "JPY", "6.51", "1002", id="1001.538 yen back"),
        pytest.param(
            market(rate="1.6", prices={11: Decimal("1.00")}), 11, "9.99", "EUR", "1.00", "0.63", id="0.625 half up back"
        ),
        pytest.param(
            market(rate="2", adjustment="50", prices={11: Decimal("7.00")}),
            11,
            "9.99",
            "EUR",
            "7.00",
            "3.50",
            id="adjustment does not touch a fixed price",
        ),
        pytest.param(market(rate="1.10"), 11, "0.00", "EUR", "0.00", "0.00", id="free of charge"),
        pytest.param(market("EUR"), 11, "19.99", "EUR", "19.99", "19.99", id="the shop's own currency"),
    ],
)
def test_market_price_is_adjusted_converted_and_rounded(
    there: Market, variant_id: int, price: str, shop_currency: str, presentment: str, in_shop_currency: str
) -> None:
    answer = market_price(variant(variant_id, price=price), there, shop_currency)

    rate = None if there.currency == shop_currency else there.exchange_rate
    assert answer == MarketPrice(
        Decimal(presentment), there.currency, Decimal(in_shop_currency), available_for_sale=True, exchange_rate=rate
    )


def test_country_without_a_market_has_the_shops_price() -> None:
    answer = market_price(variant(price="19.99"), None, "EUR")

    assert answer == MarketPrice(Decimal("19.99"), "EUR", Decimal("19.99"), available_for_sale=True)


@pytest.mark.parametrize(
    ("there", "stock", "for_sale", "available"),
    [
        pytest.param(market(unavailable=(11,)), 5, False, True, id="not sold in the market, in stock"),
        pytest.param(market(unavailable=(12,)), 5, True, True, id="another one is not sold"),
        pytest.param(market(), 0, True, False, id="sold in the market, out of stock"),
        pytest.param(None, 0, True, False, id="no market, out of stock"),
    ],
)
def test_availability_in_a_market_ignores_stock(
    there: Market | None, stock: int, for_sale: bool, available: bool
) -> None:
    chosen = variant(11, stock=stock)

    assert market_price(chosen, there, "EUR").available_for_sale is for_sale
    assert chosen.available is available


@pytest.mark.parametrize(
    ("stock", "policy", "count", "enough"),
    [
        pytest.param(None, "deny", 999, True, id="untracked"),
        pytest.param(0, "continue", 999, True, id="sold beyond stock"),
        pytest.param(3, "deny", 2, True, id="more than enough"),
        pytest.param(3, "deny", 3, True, id="just enough"),
        pytest.param(3, "deny", 4, False, id="one too few"),
        pytest.param(0, "deny", 1, False, id="none"),
        pytest.param(-2, "deny", 1, False, id="oversold"),
        pytest.param(-2, "continue", 1, True, id="oversold and on"),
    ],
)
def test_stock_for_a_count(stock: int | None, policy: str, count: int, enough: bool) -> None:
    assert variant(stock=stock, policy=policy).in_stock(count) is enough


@pytest.mark.parametrize(
    ("stock", "policy", "available"),
    [
        pytest.param(None, "deny", True, id="untracked"),
        pytest.param(0, "continue", True, id="sold beyond stock"),
        pytest.param(1, "deny", True, id="one left"),
        pytest.param(0, "deny", False, id="none left"),
        pytest.param(-1, "deny", False, id="oversold"),
    ],
)
def test_available(stock: int | None, policy: str, available: bool) -> None:
    assert variant(stock=stock, policy=policy).available is available


def test_variants_are_found_by_id() -> None:
    shirt = product(1, variant(11), variant(12))

    assert shirt.variants_by_id == {11: shirt.variants[0], 12: shirt.variants[1]}


@pytest.mark.parametrize(
    ("price", "currency", "expected"),
    [
        pytest.param("10.50", "JPY", "11", id="yen"),
        pytest.param("10.49", "JPY", "10", id="yen, down"),
        pytest.param("1.125", "KWD", "1.13", id="dinar"),
        pytest.param("19.99", "EUR", "19.99", id="euro"),
    ],
)
def test_prices_finer_than_the_currency_are_rounded(price: str, currency: str, expected: str) -> None:
    dear = variant(price=price)

    assert unit_price(dear, None, currency) == Decimal(expected)
    assert unit_price(dear, market_price(dear, None, currency), currency) == Decimal(expected)


def test_unit_price_is_the_markets() -> None:
    cheap = variant(12, price="19.99")

    assert unit_price(cheap, market_price(cheap, US, "EUR"), "EUR") == Decimal("19.09")
