"""Requests while Redis is absent, hung, killed, full, flushed or corrupt: they succeed, one line is logged, the platform gets
no needless requests, and the service recovers by itself (docs/contract.md#live-data)."""

import asyncio
import logging
from collections.abc import Callable

import pytest

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import CLAIMS, FallbackStore, MemoryStore, RedisStore
from bundlesvc.domain.errors import PlatformFailed, PlatformUnavailable
from bundlesvc.domain.live_platform.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.redis import connection as redis_connection
from bundlesvc.redis.connection import TIMEOUT, RedisConnection
from bundlesvc.request_deadline import RequestDeadline
from tests.caching.conftest import TTLS, MakeCache, counted
from tests.caching.live import LivePlatform
from tests.fakes import FakeClock
from tests.servers.redis_server import TEST_TIMEOUT, RedisServer, until_up

IDS = [1, 2, 3]

Lines = Callable[[], list[str]]


@pytest.fixture
def cached(make_cache: MakeCache, connection: RedisConnection) -> CachedPlatform:
    return make_cache(FallbackStore(RedisStore(connection), MemoryStore()))


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Lines:
    """A function that returns the messages logged so far."""
    caplog.set_level(logging.INFO, "bundlesvc")
    return lambda: [record.getMessage() for record in caplog.records if record.name.startswith("bundlesvc")]


async def serve(cached: CachedPlatform, tenant: Tenant, requests: int = 20) -> None:
    """Send simultaneous requests, all of which must succeed."""
    found = await asyncio.gather(*(cached.products(tenant, IDS) for _ in range(requests)))
    assert [sorted(each.value) for each in found] == [IDS] * requests


async def test_reads_work_without_redis_from_the_start(
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    redis: RedisServer,
    connection: RedisConnection,
    lines: Lines,
) -> None:
    redis.kill()
    for _ in range(5):
        await serve(cached, tenant)
    assert live.calls["products"] == 1, "the process has a cache of its own"
    assert len(lines()) == 1
    redis.start()
    await until_up(connection)
    await serve(cached, tenant)
    await serve(cached, tenant)
    assert live.calls["products"] == 2
    assert len(lines()) == 2
    assert redis.keys("bundlesvc:*:product:*") != []


async def test_reads_work_while_redis_is_restarted(
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    redis: RedisServer,
    connection: RedisConnection,
    lines: Lines,
) -> None:
    await serve(cached, tenant)
    redis.kill()
    for _ in range(5):
        await serve(cached, tenant)
    redis.start()
    await until_up(connection)
    await serve(cached, tenant)
    assert live.calls["products"] == 3  # for Redis, the process's own cache, the new Redis
    assert len(lines()) == 2


async def test_redis_killed_during_a_fetch_does_not_fail_it(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer
) -> None:
    live.hold()
    requests = asyncio.create_task(serve(cached, tenant))
    await live.waiting.wait()
    redis.kill()
    live.release()
    await requests
    await serve(cached, tenant)
    assert live.calls["products"] == 1


async def test_redis_restarted_during_a_fetch_stores_its_result(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer, connection: RedisConnection
) -> None:
    """The result of a fetch is stored even when Redis restarts during the fetch and loses its locks and scripts."""
    live.hold()
    requests = asyncio.create_task(serve(cached, tenant))
    await live.waiting.wait()
    redis.kill()
    redis.start()
    live.release()
    await requests
    await serve(cached, tenant)
    assert live.calls["products"] == 1
    assert connection.failures == 0


async def test_reads_work_while_redis_hangs(
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    redis: RedisServer,
    connection: RedisConnection,
    lines: Lines,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await serve(cached, tenant)
    monkeypatch.setattr(redis_connection, "TIMEOUT", TIMEOUT)
    redis.pause()
    try:
        async with asyncio.timeout(TEST_TIMEOUT):
            await serve(cached, tenant)
        failures = connection.failures
        assert 0 < failures <= 20, "each request waits at most once"
        for _ in range(20):
            await serve(cached, tenant, requests=1)
        assert connection.failures == failures, "nobody waits any more"
    finally:
        redis.resume()
    monkeypatch.setattr(redis_connection, "TIMEOUT", TEST_TIMEOUT)
    await until_up(connection)
    await serve(cached, tenant)
    assert live.calls["products"] == 2
    assert len(lines()) == 2


async def test_redis_that_hangs_during_a_fetch_does_not_fail_it(
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    redis: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live.hold()
    requests = asyncio.create_task(serve(cached, tenant))
    await live.waiting.wait()
    monkeypatch.setattr(redis_connection, "TIMEOUT", TIMEOUT)
    redis.pause()
    try:
        live.release()
        async with asyncio.timeout(TEST_TIMEOUT):
            await requests
    finally:
        redis.resume()
    assert live.calls["products"] == 1


async def test_reads_work_while_redis_is_full(
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    redis: RedisServer,
    connection: RedisConnection,
    lines: Lines,
) -> None:
    redis.fill()
    for _ in range(5):
        await serve(cached, tenant)
    assert live.calls["products"] == 1
    assert len(lines()) == 1
    redis.make_room()
    await until_up(connection)
    await serve(cached, tenant)
    assert live.calls["products"] == 2


async def test_redis_that_fills_up_during_a_fetch_does_not_fail_it(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer
) -> None:
    live.hold()
    requests = asyncio.create_task(serve(cached, tenant))
    await live.waiting.wait()
    redis.fill()
    live.release()
    await requests
    await serve(cached, tenant)
    assert live.calls["products"] == 1


async def test_flushed_redis_is_filled_again(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer, lines: Lines
) -> None:
    await serve(cached, tenant)
    with redis.client() as client:
        client.flushall()
        client.script_flush()
    await serve(cached, tenant)
    assert live.calls["products"] == 2
    assert lines() == []


IN_THE_FUTURE = b"[9999999999999999,null]"
CORRUPT = [b"", b"corrupt", b"\x80\x04\x95\x00.", b"[1800000000000000,{}]", b"[" * 10_000, IN_THE_FUTURE]


@pytest.mark.parametrize("corrupt", CORRUPT, ids=[str(each[:12]) for each in CORRUPT])
async def test_corrupt_entries_are_counted_and_replaced(
    corrupt: bytes,
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    redis: RedisServer,
    statistics: CacheStatistics,
    lines: Lines,
) -> None:
    """Corrupt entries are not served, but counted and replaced."""
    await serve(cached, tenant)
    names = redis.keys("bundlesvc:*")
    with redis.client() as client:
        for name in names:
            client.set(name, corrupt)
    await serve(cached, tenant, requests=1)
    assert live.calls["products"] == 2
    assert counted(statistics)["corrupt"] >= len(IDS) * (corrupt != IN_THE_FUTURE)
    await serve(cached, tenant)
    assert live.calls["products"] == 2
    assert lines() == []


async def test_values_of_other_redis_types_are_replaced(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer, lines: Lines
) -> None:
    await serve(cached, tenant)
    names = redis.keys("bundlesvc:*")
    with redis.client() as client:
        for name in names:
            client.delete(name)
            client.hset(name, "corrupt", "corrupt")
            client.lpush(CLAIMS.encode() + name, "corrupt")
            client.expire(CLAIMS.encode() + name, 60)
    requests = asyncio.create_task(serve(cached, tenant))
    await asyncio.wait([requests], timeout=0.2)
    with redis.client() as client:
        for name in names:
            client.delete(CLAIMS.encode() + name)
    await requests
    assert live.calls["products"] == 2
    assert lines() == []


async def test_claim_that_is_never_released_delays_a_read_by_the_timeout_at_most(
    make_cache: MakeCache, connection: RedisConnection, live: LivePlatform, tenant: Tenant, redis: RedisServer
) -> None:
    """A claim that is never released, even one without an expiry, delays a read by at most the timeout."""
    cached = make_cache(FallbackStore(RedisStore(connection), MemoryStore()), timeout=0.2)
    await serve(cached, tenant)
    names = redis.keys("bundlesvc:*")
    with redis.client() as client:
        for name in names:
            client.delete(name)
            client.set(CLAIMS.encode() + name, "corrupt")
    async with asyncio.timeout(TEST_TIMEOUT):
        await serve(cached, tenant)
    assert live.calls["products"] == 2


async def test_read_succeeds_within_its_deadline_after_another_process_died(
    make_cache: MakeCache, connection: RedisConnection, live: LivePlatform, tenant: Tenant, redis: RedisServer
) -> None:
    """A read succeeds within its deadline after another process has died: the dead process's claims expire while there is still
    time for a fetch."""
    timeout = 2.0
    dies, goes_on = (make_cache(FallbackStore(RedisStore(connection), MemoryStore()), timeout=timeout) for _ in "12")
    live.hold()
    reading = asyncio.create_task(dies.products(tenant, IDS))
    await live.waiting.wait()
    with redis.client() as client:
        claims = {name: int(client.pttl(name)) for name in redis.keys(f"{CLAIMS}*")}
        reading.cancel()
        await dies.aclose()
        for name, left in claims.items():
            client.set(name, "of a process that is dead", px=left)
    live.release()

    found = await goes_on.products(tenant, IDS, deadline=RequestDeadline(timeout))
    assert sorted(found.value) == IDS


async def test_change_during_an_outage_of_redis_outdates_its_entries(
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    redis: RedisServer,
    connection: RedisConnection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await serve(cached, tenant)
    monkeypatch.setattr(redis_connection, "TIMEOUT", 0.1)
    redis.pause()
    try:
        live.reprice(1, "11.00")
        await cached.drop(tenant, [Change(PRODUCT, 1)])
    finally:
        redis.resume()
    monkeypatch.setattr(redis_connection, "TIMEOUT", TEST_TIMEOUT)
    await until_up(connection)
    assert (await cached.products(tenant, [1])).value[1] == live.known[1]


async def test_entries_in_memory_are_served_while_redis_and_the_platform_fail(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer, clock: FakeClock
) -> None:
    """Entries in memory are served while Redis and the platform fail; without an entry, a read fails with the platform's
    error."""
    redis.kill()
    await serve(cached, tenant)
    live.error = PlatformFailed()
    clock.move(TTLS.price_max_age + 1)
    await serve(cached, tenant)
    with pytest.raises(PlatformUnavailable):
        await cached.products(tenant, IDS, TTLS.price_max_age)
    with pytest.raises(PlatformFailed):
        await cached.products(tenant, [4])
