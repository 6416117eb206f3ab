"""Market prices fetched from the stand-in platform (docs/decisions/0009-market-prices.md)."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bundlesvc.domain.product import MarketPrice, Variant
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.platforms.shopify.fakes import TENANT
from tests.standin.data import generated
from tests.standin.data.shop import FixedPrice, Market, Shop
from tests.standin.faults import Answered
from tests.standin.server import Standin

D = Decimal
MEXICO = Market(5, "Mexico", ("MX",), "MXN", rate=D("12.975"), tells_rate=False, adjustment=D(-5))
"""A market whose prices are converted at the rate of the day, which the platform does not return."""


@pytest.fixture
def standin_shop() -> Shop:
    """A shop with expensive and cheap variants. Variant 10001 costs 900.01."""
    shop = Shop(currency="CAD", markets=[MEXICO])
    shop.add(generated.product(1, 2, D("900.00")), generated.product(2, 1, D("2.00")))
    return shop


async def variants_of(platform: ShopifyPlatform, *product_ids: int) -> list[Variant]:
    products = (await platform.products(TENANT, product_ids)).value
    return [variant for product in products.values() for variant in product.variants]


async def prices(
    platform: ShopifyPlatform, country: str = "MX", products: tuple[int, ...] = (1, 2)
) -> Mapping[int, MarketPrice]:
    variants = await variants_of(platform, *products)
    return (await platform.market_prices(TENANT, variants, country)).value


def with_market(shop: Shop, **changes: object) -> None:
    shop.markets[:] = [replace(MEXICO, **changes)]  # type: ignore[arg-type]


async def test_converted_prices(platform: ShopifyPlatform, standin: Standin) -> None:
    assert await prices(platform) == {
        10001: MarketPrice(D("11105.95"), "MXN", D("855.95"), available_for_sale=True),
        10002: MarketPrice(D("11118.28"), "MXN", D("856.90"), available_for_sale=True),
        20001: MarketPrice(D("36.98"), "MXN", D("2.85"), available_for_sale=True),
    }
    assert standin.calls == {"ProductsById": 1, "ResolvedMarket": 1, "MarketPricesByVariant": 1}


async def test_country_without_a_market_has_shop_prices(platform: ShopifyPlatform) -> None:
    assert (await prices(platform, "FR"))[20001] == MarketPrice(D("3.00"), "CAD", D("3.00"), available_for_sale=True)


async def test_country_unknown_to_shopify_has_shop_prices(platform: ShopifyPlatform, standin: Standin) -> None:
    assert (await prices(platform, "AQ"))[20001] == MarketPrice(D("3.00"), "CAD", D("3.00"), available_for_sale=True)
    assert (await platform.market_terms(TENANT, "AQ")).adjustment == 0
    assert standin.calls["ResolvedMarket"] == 0


async def test_territories_of_the_united_states_belong_to_its_market(
    platform: ShopifyPlatform, standin_shop: Shop
) -> None:
    with_market(standin_shop, countries=("US",), currency="USD", rate=D("0.75"))
    assert (await prices(platform, "PR"))[20001].presentment_currency == "USD"
    assert (await platform.market_terms(TENANT, "PR")).adjustment == -5


async def test_market_in_the_shops_currency(platform: ShopifyPlatform, standin_shop: Shop) -> None:
    with_market(standin_shop, currency="CAD", rate=D(1), fixed_prices={20001: FixedPrice(D("4.20"))})
    found = await prices(platform)
    assert found[20001] == MarketPrice(D("4.20"), "CAD", D("4.20"), available_for_sale=True)
    assert found[10001] == MarketPrice(D("855.95"), "CAD", D("855.95"), available_for_sale=True)


async def test_the_merchants_rate_is_used_for_all_prices(platform: ShopifyPlatform, standin_shop: Shop) -> None:
    with_market(standin_shop, tells_rate=True, fixed_prices={20001: FixedPrice(D("51.90"))}, rounding=D(1))
    found = await prices(platform)
    assert found[20001] == MarketPrice(D("51.90"), "MXN", D("4.00"), available_for_sale=True, exchange_rate=MEXICO.rate)
    assert found[10001] == MarketPrice(
        D("11106.00"), "MXN", D("855.95"), available_for_sale=True, exchange_rate=MEXICO.rate
    )


async def test_fixed_prices_are_converted_back_at_the_implied_rate(
    platform: ShopifyPlatform, standin: Standin, standin_shop: Shop
) -> None:
    with_market(standin_shop, fixed_prices={20001: FixedPrice(D("51.90"))}, rounding=D(1))
    found = await prices(platform)
    assert found[20001] == MarketPrice(D("51.90"), "MXN", D("4.00"), available_for_sale=True)
    assert found[10001] == MarketPrice(D("11106.00"), "MXN", D("855.95"), available_for_sale=True)
    assert standin.calls["ResolvedMarket"] + standin.calls["MarketPricesByVariant"] == 2


async def test_worth_is_the_shop_price_if_every_price_is_fixed(platform: ShopifyPlatform, standin_shop: Shop) -> None:
    fixed = {number: FixedPrice(D("51.90")) for number in (10001, 10002, 20001)}
    with_market(standin_shop, fixed_prices=fixed)
    assert (await prices(platform))[20001] == MarketPrice(D("51.90"), "MXN", D("2.85"), available_for_sale=True)


async def test_rows_in_other_currencies_do_not_change_the_rate(platform: ShopifyPlatform, standin: Standin) -> None:
    price_list = {
        "id": f"gid://shopify/PriceList/{MEXICO.id}",
        "currency": "MXN",
        "fixedPricesCount": 1,
        "parent": None,
    }
    with_market(standin.shop, fixed_prices={20001: FixedPrice(D("51.90"))})
    standin.fail_next(resolved(5, currency="USD", priceList=price_list), "ResolvedMarket")
    assert (await prices(platform))[20001] == MarketPrice(D("51.90"), "MXN", D("3.00"), available_for_sale=True)


async def test_unpublished_products_are_not_sold_in_the_market(platform: ShopifyPlatform, standin_shop: Shop) -> None:
    standin_shop.products[1].variants[1].unpublished_from.add(MEXICO.id)
    standin_shop.products[2].unpublished_from.add(MEXICO.id)
    sold = {number: price.available_for_sale for number, price in (await prices(platform)).items()}
    assert sold == {10001: True, 10002: False, 20001: False}
    assert (await prices(platform, "FR"))[20001].available_for_sale


@pytest.mark.parametrize(
    ("changes", "adjustment"),
    [({}, "-5"), ({"adjustment": D("7.5")}, "7.5"), ({"has_catalog": False}, "0"), ({"status": "DRAFT"}, "0")],
)
async def test_price_adjustment_of_a_market(
    platform: ShopifyPlatform, standin_shop: Shop, changes: dict[str, object], adjustment: str
) -> None:
    with_market(standin_shop, **changes)
    assert (await platform.market_terms(TENANT, "MX")).adjustment == D(adjustment)
    assert (await platform.market_terms(TENANT, "FR")).adjustment == 0


async def test_deleted_variant_is_omitted(platform: ShopifyPlatform, standin: Standin, standin_shop: Shop) -> None:
    variants = await variants_of(platform, 1, 2)
    standin_shop.products[1].variants.pop()
    found = (await platform.market_prices(TENANT, variants, "MX")).value
    assert sorted(found) == [10001, 20001]


@pytest.mark.parametrize("fixed", [False, True])
async def test_200_products_with_many_variants_take_two_calls(
    platform: ShopifyPlatform, standin: Standin, standin_shop: Shop, fixed: bool
) -> None:
    standin_shop.add(*generated.products(200, 5))
    if fixed:
        with_market(standin_shop, fixed_prices={10001: FixedPrice(D("51.90"))})
    variants = await variants_of(platform, *range(1, 201))
    standin.calls.clear()
    found = (await platform.market_prices(TENANT, variants, "MX")).value
    assert len(found) == 1000
    assert standin.calls == {"ResolvedMarket": 1, "MarketPricesByProduct": 1}


async def test_variants_beyond_the_first_page_are_fetched_by_id(
    platform: ShopifyPlatform, standin: Standin, standin_shop: Shop
) -> None:
    standin_shop.add(generated.product(3, 130), generated.product(4, 130))
    variants = await variants_of(platform, 3, 4)
    gone = replace(variants[0], id=39999)
    standin.calls.clear()
    found = (await platform.market_prices(TENANT, [*variants, gone], "MX")).value
    assert sorted(found) == [variant.id for variant in variants]
    assert standin.calls == {"ResolvedMarket": 1, "MarketPricesByProduct": 1, "MarketPricesByVariant": 1}


async def test_variants_of_unknown_products_are_fetched_by_id(
    platform: ShopifyPlatform, standin: Standin, standin_shop: Shop
) -> None:
    standin_shop.add(generated.product(3, 260))
    variants = [replace(variant, product_id=0) for variant in await variants_of(platform, 3)]
    standin.calls.clear()
    assert len((await platform.market_prices(TENANT, variants, "MX")).value) == 260
    assert standin.calls == {"ResolvedMarket": 1, "MarketPricesByVariant": 2}


async def test_more_fixed_prices_than_one_page(platform: ShopifyPlatform, standin: Standin, standin_shop: Shop) -> None:
    standin_shop.add(*generated.products(60, 5))
    numbers = [variant.id for product in standin_shop.products.values() for variant in product.variants]
    fixed = {number: FixedPrice(D("129.75")) for number in numbers if number != 10001}
    with_market(standin_shop, fixed_prices=fixed)
    variants = await variants_of(platform, *range(1, 61))
    found = (await platform.market_prices(TENANT, variants, "MX")).value
    assert {price.price_in_shop_currency for number, price in found.items() if number != 10001} == {D("10.00")}
    assert standin.calls["FixedPricesPage"] == 1


def resolved(*publications: int | None, currency: str = "CAD", **fields: Any) -> Answered:
    """Build a response to `ResolvedMarket` with one catalog per publication. None stands for a catalog without a publication."""
    catalogs = [
        {
            "status": "ACTIVE",
            "publication": None if number is None else {"id": f"gid://shopify/Publication/{number}"},
            "priceList": None,
            "markets": {"nodes": []},
            **fields,
        }
        for number in publications
    ]
    values = {"currencyCode": currency, "catalogs": {"nodes": catalogs}}
    return Answered(200, {"data": {"shop": {"currencyCode": "CAD"}, "marketsResolvedValues": values}})


@pytest.mark.parametrize(
    ("publications", "sold"),
    [
        ((5,), False),
        ((5, 6), False),
        ((5, 7), True),
        ((5, 6, 7), True),
        ((5, 6, 5, 6), False),
        ((5, 6, 8, 9), True),  # more publications than the queries read: the product alone decides
        ((5, None), True),
        ((), True),
    ],
)
async def test_variants_on_any_publication_of_a_country_are_sold(
    platform: ShopifyPlatform, standin: Standin, publications: tuple[int | None, ...], sold: bool
) -> None:
    standin.shop.products[2].variants[0].unpublished_from |= {5, 6}
    standin.fail_next(resolved(*publications), "ResolvedMarket")
    assert (await prices(platform))[20001].available_for_sale is sold


async def test_inactive_catalogs_are_ignored(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.products[2].variants[0].unpublished_from.add(5)
    standin.fail_next(resolved(5, status="DRAFT"), "ResolvedMarket")
    assert (await prices(platform))[20001].available_for_sale


@pytest.mark.parametrize(
    ("rates", "worth", "rate"),
    [
        (["12.5"], "2.96", "12.5"),
        (["12.5", "12.5"], "2.96", "12.5"),
        (["12.5", "12.6"], "2.85", None),  # the markets differ: which one applies to the country is unknown
        ([None], "2.85", None),
        (["0.0"], "2.85", None),
        ([], "2.85", None),
    ],
)
async def test_rate_from_the_markets_of_a_catalog(
    platform: ShopifyPlatform, standin: Standin, rates: list[str | None], worth: str, rate: str | None
) -> None:
    bases = [
        *({"currencyCode": "MXN", "manualRate": rate} for rate in rates),
        {"currencyCode": "USD", "manualRate": "99.0"},
    ]
    markets = [{"currencySettings": {"baseCurrency": base}} for base in bases]
    adjustment = {"type": "PERCENTAGE_DECREASE", "value": 5.0}
    price_list = {
        "id": "gid://shopify/PriceList/5",
        "currency": "MXN",
        "fixedPricesCount": 0,
        "parent": {"adjustment": adjustment},
    }
    catalog = {"priceList": price_list, "markets": {"nodes": [*markets, {"currencySettings": None}]}}
    standin.fail_next(resolved(5, currency="MXN", **catalog), "ResolvedMarket")
    expected = MarketPrice(
        D("36.98"), "MXN", D(worth), available_for_sale=True, exchange_rate=D(rate) if rate else None
    )
    assert (await prices(platform))[20001] == expected


async def test_presentment_prices_have_all_decimals_of_their_currency(
    platform: ShopifyPlatform, standin_shop: Shop
) -> None:
    kuwait = Market(6, "Kuwait", ("KW",), "KWD", rate=D("0.2257"), tells_rate=True)
    standin_shop.markets.append(kuwait)
    found = (await prices(platform, "KW"))[20001]
    assert str(found.presentment_price) == "0.677"  # 3.00 x 0.2257 = 0.6771
    assert found.price_in_shop_currency == D("3.00")
