"""How gentle the cache is to the platform, counted (design 1 and 13)."""

import asyncio
from dataclasses import replace

import pytest

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.stores import CLAIMS, FallbackStore, MemoryStore, RedisStore
from bundlesvc.domain.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.redis_connection import RedisConnection
from tests.caching.conftest import TTLS, MakeCache
from tests.caching.live import LivePlatform, product
from tests.caching.test_freshness import settled
from tests.fakes import FakeClock
from tests.redis_server import RedisServer

HOUR = 3600


async def read_bundle(cached: CachedPlatform, tenant: Tenant, product_ids: range) -> None:
    """What GET products with a country asks for."""
    await cached.shop(tenant)
    found = (await cached.products(tenant, product_ids)).value
    variants = [variant for each in found.values() for variant in each.variants]
    await cached.market_prices(tenant, variants, "US")


@pytest.mark.parametrize("requests", [1, 500])
async def test_a_cold_bundle_of_two_hundred_products(requests: int, make_cache: MakeCache, tenant: Tenant) -> None:
    live = LivePlatform(*(product(number) for number in range(1, 201)))
    cached = make_cache(platform=live)
    await asyncio.gather(*(read_bundle(cached, tenant, range(1, 201)) for _ in range(requests)))
    assert dict(live.calls) == {"shop": 1, "products": 1, "market_prices": 1}


async def test_a_warm_hour_of_a_hundred_requests_a_second(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """At most one question for each time that an answer stays fresh. The requests of a second come at four moments of it, one
    each: the others of that moment find what it found."""
    await read_bundle(cached, tenant, range(1, 6))
    live.asked.clear()
    for _ in range(HOUR * 4):
        clock.move(0.25)
        await read_bundle(cached, tenant, range(1, 6))
        await settled(cached)
    assert live.calls["products"] <= HOUR / TTLS.products
    assert live.calls["market_prices"] <= HOUR / TTLS.prices
    assert live.calls["shop"] <= HOUR / TTLS.shop
    assert all(calls > 1 for calls in live.calls.values())


async def test_an_hour_of_many_different_selections(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """Each key is asked for at most once in its time, whatever it is asked for together with."""
    selections = [[1], [2, 3], [3, 1], [1, 2, 3, 4], [5, 2], [4]]
    for second in range(HOUR):
        clock.move(1)
        await cached.products(tenant, selections[second % len(selections)])
        await settled(cached)
    for number in range(1, 6):
        times = sum(number in ids for name, ids in live.asked if name == "products")
        assert times <= HOUR / TTLS.products + 1


async def test_a_webhook_costs_one_question_for_what_changed(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    await read_bundle(cached, tenant, range(1, 6))
    live.asked.clear()
    live.known[3] = replace(live.known[3], title="New")
    await cached.drop(tenant, [Change(PRODUCT, 3)])
    for _ in range(100):
        await read_bundle(cached, tenant, range(1, 6))
    assert live.asked == [("products", (3,)), ("market_prices", ("US", 30, 31, 32))]


async def test_processes_renew_together(
    make_cache: MakeCache, connection: RedisConnection, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    """With Redis, each answer is renewed once for all of them."""
    processes = [make_cache(FallbackStore(RedisStore(connection), MemoryStore())) for _ in range(4)]
    seconds = 0
    while seconds < 10 * TTLS.products:
        clock.move(5)
        seconds += 5
        await asyncio.gather(*(each.products(tenant, [1, 2]) for each in processes))
        await asyncio.gather(*(settled(each) for each in processes))
    assert 2 < live.calls["products"] <= 10


async def test_names_of_what_is_asked_for_are_no_claims(
    make_cache: MakeCache, connection: RedisConnection, live: LivePlatform, tenant: Tenant, redis: RedisServer
) -> None:
    """A client chooses the handle that it asks for: it must not hold others up with it."""
    cached = make_cache(FallbackStore(RedisStore(connection), MemoryStore()))
    await cached.product_by_handle(tenant, "product-1")
    (name,) = redis.keys("*:handle:*")
    for handle in ("product-1:claim", f"{CLAIMS}{name.decode()}", "\n", "", "*"):
        assert await cached.product_by_handle(tenant, handle) is None
    assert redis.keys(f"{CLAIMS}*") == []
    assert all(key.startswith(name.partition(b"handle:")[0]) for key in redis.keys("*handle:*"))
