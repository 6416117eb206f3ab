"""The embedded platform and the live platforms return the same results for the same shop, as far as each platform has the
data."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.product import MarketPrice, Option, Product, ProductTranslation, Swatch, Variant
from bundlesvc.domain.shop import PlatformLink, ShopSettings, Tenant
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.platforms.shopify.client.transport import HttpTransport, endpoint_at
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.platforms.vendure import transport as vendure_transport
from bundlesvc.platforms.vendure.platform import VendurePlatform
from bundlesvc.ports import Platform
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database
from bundlesvc.system import SystemClock
from tests.conftest import LoadShop
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import FakeConnections
from tests.standin.data.shop_file import from_shop_file
from tests.standin.server import TOKEN, Standin
from tests.vendure.fixtures import SHOP, SeededEngine

IDENTITY, ANOTHER = "ab" * 32, "cd" * 32
D = Decimal


@pytest.fixture
async def tenant(kind: str, request: pytest.FixtureRequest, database: Database, load_shop: LoadShop) -> Tenant:
    await load_shop(SHOP)
    tenant = await SqlKeyStore(database).tenant("demo")
    assert tenant is not None
    if kind != "vendure":
        return tenant
    link = PlatformLink("vendure", "shop.example", markets=request.getfixturevalue("engine").markets)
    return replace(tenant, shop=replace(tenant.shop, platform=link))


WITH_GHOSTS = ["embedded", "shopify"]


@pytest.fixture(params=[*WITH_GHOSTS, pytest.param("vendure", marks=pytest.mark.process)])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of platform. Every test here runs on all platforms, unless it is marked WITH_GHOSTS."""
    found: str = request.param
    return found


@pytest.fixture
async def platform(
    kind: str, request: pytest.FixtureRequest, database: Database, clock: FakeClock
) -> AsyncIterator[Platform]:
    if kind == "embedded":
        yield EmbeddedPlatform(database, RevisionCache())
    elif kind == "shopify":
        async with _live_platform(clock) as platform:
            yield platform
    else:
        async with _engine_platform(request.getfixturevalue("engine")) as platform:
            yield platform


@asynccontextmanager
async def _live_platform(clock: FakeClock) -> AsyncIterator[Platform]:
    async with Standin(from_shop_file(SHOP), clock).serve() as standin:
        transport = HttpTransport(endpoint_at(standin.url))
        async with transport.opened():
            connections = FakeConnections(PlatformConnection(standin.shop.domain, TOKEN))
            yield ShopifyPlatform(AdminSessions(transport, connections, RetryPolicy(clock), timeout=10))


@asynccontextmanager
async def _engine_platform(engine: SeededEngine) -> AsyncIterator[Platform]:
    transport = vendure_transport.HttpTransport(vendure_transport.endpoint_at(engine.address))
    async with transport.opened():
        connections = FakeConnections(PlatformConnection("shop.example", engine.session))
        yield VendurePlatform(transport, connections, RetryPolicy(SystemClock()), 10, CallStatistics())


def plain(variant: Variant) -> Variant:
    """Return the variant without the fields that only a live platform fills."""
    return replace(variant, inventory_item_id=None, product_id=0)


def shared(product: Product) -> Product:
    return replace(product, variants=tuple(plain(variant) for variant in product.variants))


def as_known(kind: str, product: Product) -> Product:
    """Return the product without the data that this kind of platform does not have: weights, compare-at prices, swatches, and
    stock that is tracked but may be oversold."""
    if kind != "vendure":
        return product
    variants = tuple(replace(variant, grams=0, compare_at_price=None) for variant in product.variants)
    oversold = [variant.inventory_policy == "continue" for variant in variants]
    return replace(
        product,
        options=tuple(replace(option, swatches={}) for option in product.options),
        variants=tuple(
            replace(variant, inventory_tracked=False, inventory_policy="deny", inventory_quantity=0)
            if sold
            else variant
            for variant, sold in zip(variants, oversold, strict=True)
        ),
    )


async def all_variants(platform: Platform, tenant: Tenant) -> list[Variant]:
    products = (await platform.products(tenant, [111, 222])).value
    return [variant for product in products.values() for variant in product.variants]


async def test_shop_settings(kind: str, platform: Platform, tenant: Tenant) -> None:
    known = (
        ShopSettings("EUR", "{{amount}} EUR", "kg") if kind == "vendure" else ShopSettings("EUR", "€{{amount}}", "lb")
    )
    assert await platform.shop(tenant) == known


async def test_product_has_all_its_fields(kind: str, platform: Platform, tenant: Tenant) -> None:
    product = (await platform.products(tenant, [111])).value[111]
    whole = Product(
        id=111,
        title="Shirt",
        handle="shirt",
        image_url="https://images.example/shirt.png",
        status="ACTIVE",
        tags=("linen", "bundlesvc:seasonal"),
        description_html="<p>Linen</p>",
        options=(
            Option("Size", ("S", "M")),
            Option(
                "Colour",
                ("Red", "Dotted"),
                {"Red": Swatch("#C02020"), "Dotted": Swatch("", "https://images.example/dots.png")},
            ),
        ),
        variants=(
            Variant(1001, "S / Red", D("19.99"), None, "SH-S", True, "deny", 5, 200, ("S", "Red")),
            Variant(
                1002,
                "M / Red",
                D("19.99"),
                D("25.00"),
                "",
                True,
                "continue",
                -2,
                210,
                ("M", "Red"),
                "https://images.example/m.png",
            ),
            Variant(1003, "M / Dotted", D("0.05"), None, "", True, "deny", 0, 0, ("M", "Dotted")),
        ),
    )
    assert shared(product) == as_known(kind, whole)


async def test_product_without_options(platform: Platform, tenant: Tenant) -> None:
    product = (await platform.products(tenant, [222])).value[222]
    variant = Variant(2001, "Default Title", D("8.00"), None, "", False, "deny", 0, 0, ())
    assert shared(product) == Product(222, "Mug", "mug", "", "ACTIVE", (), "", (), (variant,))


async def test_product_status(kind: str, platform: Platform, tenant: Tenant) -> None:
    products = (await platform.products(tenant, [111, 333, 900])).value
    assert {number: product.status for number, product in products.items()} == {
        111: "ACTIVE",
        333: "DRAFT" if kind == "vendure" else "ARCHIVED",  # Vendure only knows whether a product is visible
        900: "DRAFT",
    }


async def test_unknown_products_are_omitted(platform: Platform, tenant: Tenant) -> None:
    found = await platform.products(tenant, [900, 77, 222, 900])
    assert set(found.value) == {222, 900}
    assert found.age == 0
    assert (await platform.products(tenant, [])).value == {}


@pytest.mark.parametrize("max_age", [None, 0.0, 300.0])
async def test_data_is_never_too_old_for_any_max_age(platform: Platform, tenant: Tenant, max_age: float | None) -> None:
    assert set((await platform.products(tenant, [111], max_age)).value) == {111}


async def test_product_by_handle(platform: Platform, tenant: Tenant) -> None:
    assert await platform.product_by_handle(tenant, "gift-box") == 900
    assert await platform.handle_of(tenant, 900) == "gift-box"
    assert await platform.handle_of(tenant, 77) is None
    assert await platform.product_by_handle(tenant, "gift") is None
    assert await platform.product_by_handle(tenant, "") is None


async def test_variant_by_id(platform: Platform, tenant: Tenant) -> None:
    product = (await platform.products(tenant, [111])).value[111]
    assert await platform.variant(tenant, 1002) == product.variants_by_id[1002]
    assert await platform.variant(tenant, 111) is None


@pytest.mark.parametrize(
    ("country", "currency", "prices"),
    [
        (
            "US",
            "USD",
            {1001: ("23.09", "20.99"), 1002: ("21.00", "19.09"), 1003: ("0.06", "0.05"), 2001: ("9.24", "8.40")},
        ),
        ("JP", "JPY", {1001: ("3023", "18.49"), 1002: ("3023", "18.49"), 1003: ("8", "0.05"), 2001: ("1210", "7.40")}),
        ("FR", "EUR", {1001: ("19.99", "19.99"), 2001: ("8.00", "8.00")}),
        ("DE", "EUR", {1001: ("19.99", "19.99"), 2001: ("8.00", "8.00")}),
        ("AQ", "EUR", {1001: ("19.99", "19.99"), 2001: ("8.00", "8.00")}),
    ],
)
async def test_market_prices(
    kind: str, platform: Platform, tenant: Tenant, country: str, currency: str, prices: dict[int, tuple[str, str]]
) -> None:
    variants = await all_variants(platform, tenant)
    found = (await platform.market_prices(tenant, variants, country)).value
    assert set(found) == {1001, 1002, 1003, 2001}
    if (kind, country) == (
        "vendure",
        "US",
    ):  # a variant that is not sold in a channel has no price there: the home price is converted
        prices = prices | {2001: ("8.80", "8.00")}
    rate = {"US": D("1.10"), "JP": D("163.5")}.get(country)
    assert {number: found[number] for number in prices} == {
        number: MarketPrice(D(price), currency, D(worth), (country, number) != ("US", 2001), rate)
        for number, (price, worth) in prices.items()
    }


@pytest.mark.parametrize("kind", WITH_GHOSTS, indirect=True)
@pytest.mark.parametrize(
    ("country", "adjustment", "currency", "rate"),
    [
        ("US", "5", "USD", "1.10"),
        ("JP", "-7.5", "JPY", "163.5"),
        ("FR", "0", "EUR", "1"),
        ("DE", "0", "EUR", "1"),
        ("AQ", "0", "EUR", "1"),
    ],
)
async def test_market_terms(
    platform: Platform, tenant: Tenant, country: str, adjustment: str, currency: str, rate: str
) -> None:
    terms = await platform.market_terms(tenant, country)
    assert (terms.adjustment, terms.currency, terms.rate) == (D(adjustment), currency, D(rate))


async def test_product_without_selling_plans(platform: Platform, tenant: Tenant) -> None:
    assert await platform.selling_plans(tenant, [111, 77]) == {}


@pytest.mark.parametrize("kind", WITH_GHOSTS, indirect=True)
async def test_each_option_value_gets_one_ghost(platform: Platform, tenant: Tenant) -> None:
    first = await platform.create_ghost_variant(tenant, 900, IDENTITY, D("12.30"))
    assert await platform.create_ghost_variant(tenant, 900, ANOTHER, D("12.30")) != first
    assert await platform.create_ghost_variant(tenant, 900, IDENTITY, D("12.30")) == first


@pytest.mark.parametrize("kind", WITH_GHOSTS, indirect=True)
async def test_ghosts_are_hidden(platform: Platform, tenant: Tenant) -> None:
    before = (await platform.products(tenant, [111, 900])).value
    for product_id in (111, 900):
        ghost = await platform.create_ghost_variant(tenant, product_id, IDENTITY, D("12.30"))
        assert await platform.variant(tenant, ghost) is None
    assert (await platform.products(tenant, [111, 900])).value == before


async def price_in(platform: Platform, tenant: Tenant, ghost: int, country: str) -> tuple[Decimal, str]:
    """Return the price, with its currency, that a buyer in the country pays for a ghost variant that costs 12.30 in the shop's
    currency."""
    variant = Variant(ghost, "", D("12.30"), None, "", False, "continue", 0, 0, ())
    price = (await platform.market_prices(tenant, [variant], country)).value[ghost]
    return price.presentment_price, price.presentment_currency


@pytest.mark.parametrize("kind", WITH_GHOSTS, indirect=True)
@pytest.mark.parametrize(
    ("country", "made", "currency", "own"),
    [("US", "14.21", "USD", "11.05"), ("JP", "1860", "JPY", "1500"), ("FR", "12.30", "EUR", "0.00")],
)
async def test_ghost_can_have_its_own_price_in_a_market(
    platform: Platform, tenant: Tenant, country: str, made: str, currency: str, own: str
) -> None:
    ghost = await platform.create_ghost_variant(tenant, 900, IDENTITY, D("12.30"))
    other = await platform.create_ghost_variant(tenant, 900, ANOTHER, D("12.30"))
    terms = await platform.market_terms(tenant, country)
    assert await price_in(platform, tenant, ghost, country) == (D(made), currency)
    for price in (D("99.00"), D(own), D(own)):  # each price replaces the previous one
        await platform.set_ghost_price(tenant, ghost, terms, price)
    assert await price_in(platform, tenant, ghost, country) == (D(own), currency)
    assert await price_in(platform, tenant, other, country) == (D(made), currency)
    assert await price_in(platform, tenant, ghost, "DE") == (D("12.30"), "EUR")


@pytest.mark.parametrize("kind", WITH_GHOSTS, indirect=True)
async def test_retired_ghost_is_not_found_again(platform: Platform, tenant: Tenant) -> None:
    first = await platform.create_ghost_variant(tenant, 900, IDENTITY, D("12.30"))
    other = await platform.create_ghost_variant(tenant, 900, ANOTHER, D("12.30"))
    for _ in range(2):  # deleting again is not an error
        await platform.retire_ghost_variants(tenant, 900, [first, 77])
    assert await platform.create_ghost_variant(tenant, 900, IDENTITY, D("12.30")) not in (first, other)
    assert await platform.create_ghost_variant(tenant, 900, ANOTHER, D("12.30")) == other
    await platform.retire_ghost_variants(tenant, 900, [])


async def test_texts_that_products_do_not_contain(platform: Platform, tenant: Tenant) -> None:
    """A platform returns no languages and no translations for products that have none. Embedded products contain their own
    translations."""
    assert await platform.languages(tenant) == ()
    found = await platform.translations(tenant, [222, 77], "de")
    assert found.get(222, ProductTranslation()) == ProductTranslation()
    assert 77 not in found
