"""Token buckets in a Redis Cluster count exactly, and a batch takes one round trip to each server
(docs/scaling.md#sentinel-and-cluster)."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from bundlesvc.domain.rate_limit import Bucket
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from bundlesvc.redis.connection import RedisConnection
from tests.fakes import FakeClock
from tests.servers.redis_groups import Cluster

HOURS = 36_000.0
"""A refill period in seconds, so long that buckets are not refilled while a test runs."""
KEYS = 30


def of_a_visitor(key: int) -> Sequence[Bucket]:
    """Return the buckets from which a visitor's request with this page key takes tokens, named as in the service."""
    name = f"{{key:{key}}}"
    return [Bucket("key", name, 6, HOURS), Bucket("visitor", f"{name}:visitor:198.51.100.1", 4, HOURS)]


@pytest.fixture
def buckets(cluster_connection: RedisConnection) -> RedisBuckets:
    return RedisBuckets(cluster_connection, MemoryBuckets(FakeClock()))


async def allowed(*processes: RedisBuckets) -> Counter[int]:
    """Send ten concurrent requests with each key, alternating between the processes. Returns the number of allowed requests by
    key."""
    tries = [(number % KEYS, processes[number % len(processes)]) for number in range(10 * KEYS)]
    states = await asyncio.gather(*(process.take(of_a_visitor(key)) for key, process in tries))
    return Counter(key for (key, _), both in zip(tries, states, strict=True) if all(state.allowed for state in both))


async def test_batch_for_many_keys_is_exact(
    buckets: RedisBuckets, cluster: Cluster, cluster_connection: RedisConnection
) -> None:
    neighbour = RedisBuckets(cluster_connection, MemoryBuckets(FakeClock()))
    assert await allowed(buckets, neighbour) == dict.fromkeys(range(KEYS), 4)
    await asyncio.gather(*(buckets.give_back(of_a_visitor(key)) for key in range(KEYS)))
    assert await allowed(buckets) == dict.fromkeys(range(KEYS), 1)
    assert cluster_connection.failures == 0
    assert all(server.keys("bundlesvc:bucket:*") for server in cluster.servers), "every server has some of the keys"


async def test_buckets_of_a_request_are_in_one_slot(buckets: RedisBuckets, cluster: Cluster) -> None:
    await allowed(buckets)
    slots: dict[bytes, set[int]] = {}
    for name in cluster.keys("bundlesvc:bucket:*"):
        slots.setdefault(name.partition(b"}")[0], set()).add(cluster.slot(name))
    assert [len(found) for found in slots.values()] == [1] * KEYS
    assert len(set.union(*slots.values())) > 1


async def test_batch_is_one_script_for_each_key(buckets: RedisBuckets, cluster: Cluster) -> None:
    await allowed(buckets)  # loads the script into every server
    before = _scripts(cluster)
    await allowed(buckets)
    assert _scripts(cluster) - before == 2 * KEYS  # in batches of 200 requests


async def test_script_that_servers_forgot_is_loaded_again(
    buckets: RedisBuckets, cluster: Cluster, cluster_connection: RedisConnection
) -> None:
    await allowed(buckets)
    cluster.repair()
    for server in cluster.servers:
        with server.client() as client:
            client.script_flush()
    assert await allowed(buckets) == dict.fromkeys(range(KEYS), 4)
    assert cluster_connection.failures == 0


async def test_connections_closed_while_idle_are_opened_again(
    buckets: RedisBuckets, cluster: Cluster, cluster_connection: RedisConnection
) -> None:
    assert await allowed(buckets) == dict.fromkeys(range(KEYS), 4)
    for server in cluster.servers:
        with server.client() as client:
            client.client_kill_filter(_type="normal", skipme=True)
    assert await allowed(buckets) == {}, "the buckets are empty"
    assert cluster_connection.failures == 0


async def test_slots_that_moved_are_followed(
    buckets: RedisBuckets, cluster: Cluster, cluster_connection: RedisConnection
) -> None:
    """When slots move to another server, which happens when servers join or leave the cluster, the buckets in them are still
    found."""
    await allowed(buckets)
    moved = [f"bundlesvc:bucket:{{key:{key}}}".encode() for key in range(5)]
    for target in cluster.servers[:2]:
        cluster.repair()  # a slot with keys cannot be moved right away
        cluster.move(list(map(cluster.slot, moved)), target)
        assert await allowed(buckets) == dict.fromkeys(range(KEYS), 4)
        assert set(moved) <= set(target.keys())
    assert cluster_connection.failures == 0


def _scripts(cluster: Cluster) -> int:
    """Return how many times the servers have run a script."""
    number = 0
    for server in cluster.servers:
        with server.client() as client:
            number += int(client.info("commandstats").get("cmdstat_evalsha", {"calls": 0})["calls"])
    return number
