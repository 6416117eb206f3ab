"""A cache in front of any platform returns the platform's own values and passes writes on (docs/contract.md#live-data)."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.stores import FallbackStore, MemoryStore, RedisStore, Store
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.ports import Platform
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from tests.caching.conftest import MakeCache
from tests.caching.live import LivePlatform
from tests.conftest import LoadShop
from tests.fakes import FakeClock
from tests.process.shop import GIFT_BOX, MUG, SHIRT, SHIRT_M, SHOP

HOUR = 3600


@pytest.fixture(
    params=["memory", *(pytest.param(kind, marks=pytest.mark.process) for kind in ("redis", "redis down", "cluster"))]
)
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        return MemoryStore()
    if request.param == "cluster":
        return RedisStore(request.getfixturevalue("cluster_connection"))
    connection: RedisConnection = request.getfixturevalue("connection")
    if request.param == "redis down":
        request.getfixturevalue("redis").kill()
    return FallbackStore(RedisStore(connection), MemoryStore())


async def all_reads(
    platform: Platform, tenant: Tenant, product_ids: Sequence[int], variants: Sequence[int]
) -> list[object]:
    """Call every read method of the platform for these products and variants, and return the results."""
    products = (await platform.products(tenant, product_ids)).value
    sold = [variant for product in products.values() for variant in product.variants]
    return [
        await platform.shop(tenant),
        dict(products),
        *[dict((await platform.market_prices(tenant, sold, country)).value) for country in ("US", "JP", "DE")],
        dict((await platform.market_prices(tenant, [], "US")).value),
        *[await platform.variant(tenant, variant) for variant in variants],
        *[await platform.product_by_handle(tenant, each.handle) for each in products.values()],
        await platform.product_by_handle(tenant, "no such handle"),
        *[await platform.handle_of(tenant, product_id) for product_id in product_ids],
        dict(await platform.selling_plans(tenant, product_ids)),
        *[await platform.market_terms(tenant, country) for country in ("US", "JP", "DE")],
    ]


async def test_cached_values_equal_those_of_a_live_platform(
    make_cache: MakeCache, live: LivePlatform, tenant: Tenant, store: Store
) -> None:
    live.plans = {(1, 1, "month"): "9", (1, 2, "week"): "10", (3, 1, "month"): "11"}
    ids = ([1, 2, 3, 404, 1], [10, 11, 404])
    expected = await all_reads(live, tenant, *ids)
    live.requests.clear()
    first = make_cache(store)
    assert await all_reads(first, tenant, *ids) == expected
    assert max(live.calls.values()) <= 4  # a call per country or handle
    live.requests.clear()
    assert await all_reads(first, tenant, *ids) == expected
    neighbour = make_cache(store)
    assert await all_reads(neighbour, tenant, *ids) == expected
    assert live.requests == []


@pytest.fixture
async def embedded(database: Database, load_shop: LoadShop) -> EmbeddedPlatform:
    await load_shop(SHOP)
    return EmbeddedPlatform(database, RevisionCache())


@pytest.fixture
async def own_tenant(embedded: EmbeddedPlatform, database: Database) -> Tenant:
    found = await SqlKeyStore(database).tenant("demo")
    assert found is not None
    return found


async def test_cached_values_equal_those_of_the_embedded_platform(
    make_cache: MakeCache, embedded: EmbeddedPlatform, own_tenant: Tenant, store: Store, clock: FakeClock
) -> None:
    ids = ([SHIRT, MUG, GIFT_BOX, 404], [SHIRT_M, 404])
    expected = await all_reads(embedded, own_tenant, *ids)
    cached = make_cache(store, embedded)
    for _ in range(2):
        assert await all_reads(cached, own_tenant, *ids) == expected
        clock.move(HOUR)


async def test_new_revision_of_the_embedded_platform_is_read_at_once(
    make_cache: MakeCache, embedded: EmbeddedPlatform, own_tenant: Tenant, database: Database, store: Store
) -> None:
    cached = make_cache(store, embedded)
    await cached.products(own_tenant, [SHIRT])
    files = SqlShopFileStore(database)
    stored = await files.stored("demo")
    assert stored is not None
    await files.replace(replace(stored, products=tuple(replace(each, title="New") for each in stored.products)))
    later = replace(own_tenant, revision=own_tenant.revision + 1)
    assert (await cached.products(later, [SHIRT])).value[SHIRT].title == "New"


async def test_writes_are_not_cached(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    terms = MarketTerms("USD", Decimal(5), Decimal("1.10"), "list of US")
    for _ in range(2):
        assert await cached.create_ghost_variant(tenant, 1, "identity", Decimal("22.99")) == 8000
        await cached.set_ghost_price(tenant, 8000, terms, Decimal("25.00"))
        await cached.retire_ghost_variants(tenant, 1, [8000])
    assert (
        live.requests
        == [
            ("create_ghost_variant", (1, "identity", Decimal("22.99"))),
            ("set_ghost_price", (8000, terms, Decimal("25.00"))),
            ("retire_ghost_variants", (1, 8000)),
        ]
        * 2
    )


async def test_variant_is_read_from_its_cached_product(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    await cached.products(tenant, [1])
    for _ in range(3):
        assert await cached.variant(tenant, 11) == live.known[1].variants[1]
    assert live.requests == [("products", (1,)), ("variant", (11,))]
