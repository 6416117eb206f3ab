"""A shopper configures a bundle for the country where it costs most, and buys the ghost variant in the home market.

In the home market, the ghost variant must cost what the selection costs there. Its base price must therefore not be the foreign
price divided by the foreign market's adjustment: at home no adjustment applies, so the variant would be sold too cheaply."""

from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import credentials_cipher
from tests.api.conftest import Api, Serve
from tests.api.loaded import RATE_LIMIT
from tests.api.selection import Json, configure_body
from tests.conftest import SECRET_KEY, LoadShop, MakeKey
from tests.demo.orders import EACH_ORDER, Order
from tests.demo.service import Demo, MakeDemo, cart_of, loaded_database
from tests.fakes import FakeClock
from tests.standin.app.webhooks import SECRET
from tests.standin.data.generated import single_variant
from tests.standin.data.market_prices import contextual
from tests.standin.data.shop import FixedPrice, Market, Shop
from tests.standin.fixtures import standin
from tests.standin.server import TOKEN, Standin

__all__ = ["loaded_database", "standin"]

BUNDLES = """
bundles:
  - {id: 1, name: Set, type: multiple-products, platformProductId: '900', discount: {type: percentage, value: '10.00'},
     sections: &sections [{id: 1, products: [{bundleItemId: 1, platformProductId: '100'}]}]}
  - {id: 2, name: Conditions by country, type: multiple-products, platformProductId: '900', sections: *sections,
     discount: {type: percentage, value: '10.00'},
     conditions: [{id: c1, kind: condition, type: country, operation: eq, value: LI},
                  {id: c2, kind: condition, type: country, operation: eq, value: GB},
                  {id: a1, kind: action, type: discount, when: c1, discount: {type: percentage, value: '30.00'}},
                  {id: a2, kind: action, type: discount, when: c2, discount: {type: percentage, value: '50.00'}}]}
"""
EMBEDDED = f"""
shop: {{handle: demo, currency: EUR, headlessEnabled: true}}
markets:
  - {{countryCode: CH, currency: EUR, exchangeRate: '1', priceAdjustment: '100', prices: {{'1001': '22.00'}}}}
  - {{countryCode: JP, currency: JPY, exchangeRate: '160', priceAdjustment: '100'}}
  - {{countryCode: US, currency: USD, exchangeRate: '1.10', priceAdjustment: '-90', prices: {{'1001': '11.00'}}}}
products:
  - {{id: '100', title: Tea, variants: [{{id: '1001', price: '20.00'}}]}}
  - {{id: '900', title: Box, variants: [{{id: '9001', price: '0'}}]}}
{BUNDLES}"""
LIVE = f"""
shop: {{handle: live, headlessEnabled: true, activeFeatures: [conditions],
       platform: {{kind: shopify, domain: standin.myshopify.com}}}}
{BUNDLES}"""
SELECTION = configure_body("1001@1", type="multiple-products")
PROMISES = {
    "CH": ("19.80", Decimal("19.80")),
    "JP": ("36.00", Decimal(5760)),
    "US": ("9.00", Decimal("9.90")),
    None: ("18.00", Decimal("18.00")),
    "DE": ("18.00", Decimal("18.00")),
}
"""The promise by country: in euros, and in the country's currency."""


@pytest.fixture
async def shop(make_demo: MakeDemo, load_shop: LoadShop) -> Demo:
    demo = await make_demo()
    await load_shop(EMBEDDED)
    await demo.refresh()
    return demo


async def configured(api: Api, country: str | None, bundle: int = 1) -> Json:
    body = SELECTION if country is None else {**SELECTION, "countryCode": country}
    result: Json = (await api.post(f"/bundles/{bundle}/configure", body)).held().json
    return result


async def charged(demo: Demo, result: Json, country: str | None) -> Decimal:
    """The total that the checkout charges, in the currency of the country's market."""
    receipt = await demo.receipt(cart_of(result, country))
    assert receipt["refusals"] == []
    return Decimal(receipt["marketTotal"] if country else receipt["total"])


@pytest.mark.parametrize("country", [country for country in PROMISES if country])
async def test_a_ghost_configured_for_a_country_costs_the_home_price_at_home(shop: Demo, country: str) -> None:
    result = await configured(shop, country)
    promised, in_market = PROMISES[country]
    assert result["pricing"]["discountedPrice"] == promised
    assert await charged(shop, result, country) == in_market
    assert await charged(shop, result, None) == Decimal("18.00")


async def test_a_ghost_costs_the_promised_price_in_each_country(shop: Demo) -> None:
    results = {country: await configured(shop, country) for country in PROMISES}
    assert len({result["variant_id"] for result in results.values()}) == 1
    for country, (_, in_market) in PROMISES.items():
        assert await charged(shop, results["CH"], country) == in_market


@EACH_ORDER
async def test_no_bundle_of_the_demo_shop_is_cheaper_at_home_when_configured_abroad(demo: Demo, order: Order) -> None:
    at_home = await charged(demo, await demo.configured(order), None)
    for country in ("US", "CH", "JP", "DE"):
        result = await demo.configured(order, country)
        if result["cart"] is None:
            assert await charged(demo, result, None) == at_home


@pytest.fixture
def standin_shop() -> Shop:
    """The shop on a live platform, with an expensive market."""
    dear = Market(5, "Switzerland", ("CH", "LI"), "EUR", adjustment=Decimal(100))
    dear.fixed_prices[1001] = FixedPrice(Decimal("22.00"))
    japan = Market(6, "Japan", ("JP",), "JPY", rate=Decimal(160), tells_rate=False, adjustment=Decimal(100))
    britain = Market(7, "Britain", ("GB",), "GBP", rate=Decimal("0.85"), has_catalog=False)
    shop = Shop(markets=[dear, japan, britain])
    shop.add(single_variant(100, 1001, "20.00"), single_variant(900, 9001, "0.00"))
    return shop


@pytest.fixture
async def live_shop(
    standin: Standin,
    serve: Serve,
    load_shop: LoadShop,
    make_key: MakeKey,
    settings: Settings,
    database: Database,
    clock: FakeClock,
) -> Api:
    await load_shop(LIVE)
    tenant = await SqlKeyStore(database).tenant("live")
    assert tenant is not None
    connection = PlatformConnection(standin.shop.domain, TOKEN, SECRET)
    await SqlCredentialStore(database, credentials_cipher([SECRET_KEY])).connect(tenant, connection, int(clock.now()))
    client = await serve(settings=replace(settings, platform_endpoint=standin.url))
    api = Api(client, await make_key("live", rate_limit=RATE_LIMIT))
    await api.refresh()
    return api


@pytest.mark.parametrize(
    ("country", "promised", "in_market"), [("CH", "19.80", "19.80"), ("LI", "19.80", "19.80"), ("JP", "36.00", "5760")]
)
async def test_a_ghost_on_a_live_platform_costs_the_home_price_at_home(
    live_shop: Api, standin: Standin, country: str, promised: str, in_market: str
) -> None:
    result = await configured(live_shop, country)
    assert result["pricing"]["discountedPrice"] == promised
    assert bought(standin, result, None) == Decimal("18.00")
    assert bought(standin, result, country) == Decimal(in_market)


def bought(standin: Standin, result: Json, country: str | None) -> Decimal:
    """The price that a buyer in a country pays on the live platform for the variant in a configure result."""
    found = standin.shop.variant(int(result["variant_id"]))
    assert found is not None
    return contextual(standin.shop, standin.shop.market_of(country), found[1]).price


async def test_two_countries_of_one_market_are_each_charged_their_own_promise(live_shop: Api, standin: Standin) -> None:
    """Two countries in one market are each charged the amount promised for them.

    They share a price list, in which a variant has one price, so the second promise needs another ghost variant."""
    results = [await configured(live_shop, country, bundle=2) for country in ("CH", "LI", "CH", "LI")]
    assert [result["pricing"]["discountedPrice"] for result in results] == ["19.80", "15.40", "19.80", "15.40"]
    assert [bought(standin, result, "CH") for result in results] == [Decimal("19.80"), Decimal("15.40")] * 2
    assert {bought(standin, result, None) for result in results} == {Decimal("18.00")}
    assert len({result["variant_id"] for result in results}) == 2


async def test_a_market_without_a_price_list_is_promised_the_home_price(live_shop: Api, standin: Standin) -> None:
    """In a market without a price list, the service promises the home price, whatever the conditions for that country say. The
    platform converts it."""
    result = await configured(live_shop, "GB", bundle=2)
    body = {"products": SELECTION["products"], "countryCode": "GB"}
    priced = (await live_shop.post("/bundles/2/price", body)).held().json
    assert priced == result["pricing"] | {"presentment": result["presentment"]}
    assert result["pricing"]["discountedPrice"] == "18.00"
    assert result["presentment"]["discountedPrice"] == "15.30"
    assert (bought(standin, result, None), bought(standin, result, "GB")) == (Decimal("18.00"), Decimal("15.30"))
