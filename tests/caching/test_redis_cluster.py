"""The cache in a Redis Cluster: all data of a shop is in one slot (docs/scaling.md#sentinel-and-cluster)."""

import asyncio

import pytest
from redis.exceptions import ClusterCrossSlotError

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.stores import CLAIMS, RedisStore
from bundlesvc.domain.live_platform.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.redis.connection import RedisConnection
from tests.caching.conftest import MakeCache
from tests.caching.live import LivePlatform, live_tenant
from tests.fakes import FakeClock
from tests.servers.redis_groups import Cluster

SHOPS = [live_tenant(number, domain=f"shop-{number}.example") for number in range(1, 13)]


async def read_all(cached: CachedPlatform, tenant: Tenant) -> None:
    found = (await cached.products(tenant, range(1, 6))).value
    await cached.market_prices(tenant, [variant for each in found.values() for variant in each.variants], "US")
    await cached.shop(tenant)


async def test_processes_fetch_once_for_each_shop(
    make_cache: MakeCache, cluster: Cluster, cluster_connection: RedisConnection, live: LivePlatform, clock: FakeClock
) -> None:
    """Several processes together fetch the data of each shop only once. RedisStore is used without a fallback to memory, so any
    failure would raise an error."""
    processes = [make_cache(RedisStore(cluster_connection)) for _ in range(3)]
    await asyncio.gather(*(read_all(process, tenant) for process in processes for tenant in SHOPS))
    assert dict(live.calls) == dict.fromkeys(("products", "market_prices", "shop"), len(SHOPS))
    assert cluster.keys(f"{CLAIMS}*") == []
    clock.move(1)
    await asyncio.gather(*(process.drop(tenant, [Change(PRODUCT, 3)]) for process in processes for tenant in SHOPS))
    clock.move(1)
    await asyncio.gather(*(read_all(process, tenant) for process in processes for tenant in SHOPS))
    assert live.calls["products"] == 2 * len(SHOPS)
    assert cluster_connection.failures == 0


async def test_entries_of_a_shop_and_their_claims_are_in_one_slot(
    make_cache: MakeCache, cluster: Cluster, cluster_connection: RedisConnection
) -> None:
    cached = make_cache(RedisStore(cluster_connection))
    await asyncio.gather(*(read_all(cached, tenant) for tenant in SHOPS))
    slots: dict[bytes, set[int]] = {}
    names = cluster.keys()
    for name in names:
        shop = name.split(b":{")[1].partition(b"}")[0]
        slots.setdefault(shop, set()).update((cluster.slot(name), cluster.slot(CLAIMS.encode() + name)))
    assert [len(found) for found in slots.values()] == [1] * len(SHOPS)
    assert all(server.keys() for server in cluster.servers), "every server has some of the shops"


async def test_the_cluster_refuses_commands_over_several_slots(
    make_cache: MakeCache, cluster: Cluster, cluster_connection: RedisConnection
) -> None:
    """The cluster refuses commands across several slots; the key names of cache entries are chosen to avoid such commands."""
    cached = make_cache(RedisStore(cluster_connection))
    await asyncio.gather(*(read_all(cached, tenant) for tenant in SHOPS))
    names = cluster.servers[0].keys()
    of_two_shops = {cluster.slot(name): name for name in names}.values()
    with cluster.servers[0].client() as client, pytest.raises(ClusterCrossSlotError):
        client.mget(*of_two_shops)
