"""The number of requests that the platform gets (docs/contract.md#live-data)."""

import asyncio
from dataclasses import replace

import pytest

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.stores import CLAIMS, FallbackStore, MemoryStore, RedisStore
from bundlesvc.domain.live_platform.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.redis.connection import RedisConnection
from tests.caching.conftest import TTLS, MakeCache
from tests.caching.live import LivePlatform, product
from tests.caching.test_freshness import settled
from tests.fakes import FakeClock
from tests.servers.redis_server import RedisServer

PERIOD = 15 * 60
"""Three times the longest TTL."""


async def read_bundle(cached: CachedPlatform, tenant: Tenant, product_ids: range) -> None:
    """Read the same data as a GET request for a bundle's products with a country."""
    await cached.shop(tenant)
    found = (await cached.products(tenant, product_ids)).value
    variants = [variant for each in found.values() for variant in each.variants]
    await cached.market_prices(tenant, variants, "US")


@pytest.mark.parametrize("requests", [1, 500])
async def test_cold_reads_of_two_hundred_products_fetch_once(
    requests: int, make_cache: MakeCache, tenant: Tenant
) -> None:
    live = LivePlatform(*(product(number) for number in range(1, 201)))
    cached = make_cache(platform=live)
    await asyncio.gather(*(read_bundle(cached, tenant, range(1, 201)) for _ in range(requests)))
    assert dict(live.calls) == {"shop": 1, "products": 1, "market_prices": 1}


async def test_warm_reads_fetch_once_per_ttl(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """Warm reads fetch once per TTL, however many requests arrive per second: one request refreshes the entries that the others
    use."""
    await read_bundle(cached, tenant, range(1, 6))
    live.requests.clear()
    for _ in range(PERIOD * 4):
        clock.move(0.25)
        await read_bundle(cached, tenant, range(1, 6))
        await settled(cached)
    assert live.calls["products"] <= PERIOD / TTLS.products
    assert live.calls["market_prices"] <= PERIOD / TTLS.prices
    assert live.calls["shop"] <= PERIOD / TTLS.shop
    assert all(calls > 1 for calls in live.calls.values())


async def test_each_product_is_fetched_once_per_ttl_whatever_the_selection(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """Each product is fetched once per TTL, whichever products are read together."""
    selections = [[1], [2, 3], [3, 1], [1, 2, 3, 4], [5, 2], [4]]
    for second in range(PERIOD):
        clock.move(1)
        await cached.products(tenant, selections[second % len(selections)])
        await settled(cached)
    for number in range(1, 6):
        times = sum(number in ids for name, ids in live.requests if name == "products")
        assert times <= PERIOD / TTLS.products + 1


async def test_change_causes_one_fetch_of_what_changed(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    await read_bundle(cached, tenant, range(1, 6))
    live.requests.clear()
    live.known[3] = replace(live.known[3], title="New")
    await cached.drop(tenant, [Change(PRODUCT, 3)])
    for _ in range(100):
        await read_bundle(cached, tenant, range(1, 6))
    assert live.requests == [("products", (3,)), ("market_prices", ("US", 30, 31, 32))]


async def test_processes_share_one_refresh(
    make_cache: MakeCache, connection: RedisConnection, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """Processes share one refresh per entry through Redis."""
    processes = [make_cache(FallbackStore(RedisStore(connection), MemoryStore())) for _ in range(4)]
    seconds = 0
    while seconds < 10 * TTLS.products:
        clock.move(5)
        seconds += 5
        await asyncio.gather(*(each.products(tenant, [1, 2]) for each in processes))
        await asyncio.gather(*(settled(each) for each in processes))
    assert 2 < live.calls["products"] <= 10


async def test_handles_chosen_by_clients_cannot_create_claims(
    make_cache: MakeCache, connection: RedisConnection, live: LivePlatform, tenant: Tenant, redis: RedisServer
) -> None:
    """A product handle chosen by a client cannot produce the Redis key of a refresh claim. Otherwise, a client could make
    other processes wait for a refresh that nobody is doing."""
    cached = make_cache(FallbackStore(RedisStore(connection), MemoryStore()))
    await cached.product_by_handle(tenant, "product-1")
    (name,) = redis.keys("*:handle:*")
    for handle in ("product-1:claim", f"{CLAIMS}{name.decode()}", "\n", "", "*"):
        assert await cached.product_by_handle(tenant, handle) is None
    assert redis.keys(f"{CLAIMS}*") == []
    assert all(key.startswith(name.partition(b"handle:")[0]) for key in redis.keys("*handle:*"))
