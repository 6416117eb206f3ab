"""What becomes of requests when Redis is absent, hung, killed, full, flushed or filled with rubbish: they go on, one line says
so, the platform is not asked more often than it must, and the service finds back by itself (design 13)."""

import asyncio
import logging
from collections.abc import Callable

import pytest

from bundlesvc import redis_connection
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import CLAIMS, FallbackStore, MemoryStore, RedisStore
from bundlesvc.domain.errors import PlatformFailed, PlatformUnavailable
from bundlesvc.domain.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.redis_connection import TIMEOUT, RedisConnection
from bundlesvc.request_deadline import RequestDeadline
from tests.caching.conftest import TTLS, MakeCache, counted
from tests.caching.live import LivePlatform
from tests.fakes import FakeClock
from tests.redis_server import RedisServer

TEST_TIMEOUT = 10.0
"""Seconds within which the service must have found back."""

IDS = [1, 2, 3]

Lines = Callable[[], list[str]]


@pytest.fixture
def cached(make_cache: MakeCache, connection: RedisConnection) -> CachedPlatform:
    return make_cache(FallbackStore(RedisStore(connection), MemoryStore()))


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Lines:
    """What was logged."""
    caplog.set_level(logging.INFO, "bundlesvc")
    return lambda: [record.getMessage() for record in caplog.records if record.name.startswith("bundlesvc")]


async def serve(cached: CachedPlatform, tenant: Tenant, requests: int = 20) -> None:
    """So many requests at once, each of which must be answered."""
    found = await asyncio.gather(*(cached.products(tenant, IDS) for _ in range(requests)))
    assert [sorted(each.value) for each in found] == [IDS] * requests


async def until_up(connection: RedisConnection) -> None:
    if connection._watch is not None:
        await asyncio.wait_for(connection._watch, TEST_TIMEOUT)
    assert connection.up


async def test_absent_from_the_start(
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
    assert live.calls["products"] == 1, "the process remembers by itself"
    assert len(lines()) == 1
    redis.start()
    await until_up(connection)
    await serve(cached, tenant)
    await serve(cached, tenant)
    assert live.calls["products"] == 2
    assert len(lines()) == 2
    assert redis.keys("bundlesvc:*:product:*") != []


async def test_killed_and_restarted(
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
    assert live.calls["products"] == 3  # for Redis, for the process, and for the new Redis
    assert len(lines()) == 2


async def test_killed_while_the_platform_is_asked(
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


async def test_restarted_while_the_platform_is_asked(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer, connection: RedisConnection
) -> None:
    """Its claims and scripts are gone: what is brought is kept all the same."""
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


async def test_hung(
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


async def test_hung_while_the_platform_is_asked(
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


async def test_full(
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


async def test_full_while_the_platform_is_asked(
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


async def test_flushed(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer, lines: Lines
) -> None:
    await serve(cached, tenant)
    with redis.client() as client:
        client.flushall()
        client.script_flush()
    await serve(cached, tenant)
    assert live.calls["products"] == 2
    assert lines() == []


FROM_THE_FUTURE = b"[9999999999999999,null]"
RUBBISH = [b"", b"rubbish", b"\x80\x04\x95\x00.", b"[1800000000000000,{}]", b"[" * 10_000, FROM_THE_FUTURE]


@pytest.mark.parametrize("rubbish", RUBBISH, ids=[str(each[:12]) for each in RUBBISH])
async def test_filled_with_rubbish(
    rubbish: bytes,
    cached: CachedPlatform,
    live: LivePlatform,
    tenant: Tenant,
    redis: RedisServer,
    statistics: CacheStatistics,
    lines: Lines,
) -> None:
    """It is no answer, it is counted, and it is replaced."""
    await serve(cached, tenant)
    names = redis.keys("bundlesvc:*")
    with redis.client() as client:
        for name in names:
            client.set(name, rubbish)
    await serve(cached, tenant, requests=1)
    assert live.calls["products"] == 2
    assert counted(statistics)["corrupt"] >= len(IDS) * (rubbish != FROM_THE_FUTURE)
    await serve(cached, tenant)
    assert live.calls["products"] == 2
    assert lines() == []


async def test_filled_with_what_is_not_even_text(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer, lines: Lines
) -> None:
    await serve(cached, tenant)
    names = redis.keys("bundlesvc:*")
    with redis.client() as client:
        for name in names:
            client.delete(name)
            client.hset(name, "rubbish", "rubbish")
            client.lpush(CLAIMS.encode() + name, "rubbish")
            client.expire(CLAIMS.encode() + name, 60)
    requests = asyncio.create_task(serve(cached, tenant))
    await asyncio.wait([requests], timeout=0.2)
    with redis.client() as client:
        for name in names:
            client.delete(CLAIMS.encode() + name)
    await requests
    assert live.calls["products"] == 2
    assert lines() == []


async def test_a_claim_that_nobody_gives_back_holds_nobody_up_for_longer_than_the_timeout(
    make_cache: MakeCache, connection: RedisConnection, live: LivePlatform, tenant: Tenant, redis: RedisServer
) -> None:
    """Not even one that never expires."""
    cached = make_cache(FallbackStore(RedisStore(connection), MemoryStore()), timeout=0.2)
    await serve(cached, tenant)
    names = redis.keys("bundlesvc:*")
    with redis.client() as client:
        for name in names:
            client.delete(name)
            client.set(CLAIMS.encode() + name, "rubbish")
    async with asyncio.timeout(TEST_TIMEOUT):
        await serve(cached, tenant)
    assert live.calls["products"] == 2


async def test_a_request_outlives_a_process_that_died_while_it_asked(
    make_cache: MakeCache, connection: RedisConnection, live: LivePlatform, tenant: Tenant, redis: RedisServer
) -> None:
    """What that one claimed is free again while there is time left to ask the platform."""
    timeout = 2.0
    dies, goes_on = (make_cache(FallbackStore(RedisStore(connection), MemoryStore()), timeout=timeout) for _ in "12")
    live.hold()
    asking = asyncio.create_task(dies.products(tenant, IDS))
    await live.waiting.wait()
    with redis.client() as client:
        claims = {name: int(client.pttl(name)) for name in redis.keys(f"{CLAIMS}*")}
        asking.cancel()
        await dies.aclose()
        for name, left in claims.items():
            client.set(name, "of a process that is dead", px=left)
    live.release()

    found = await goes_on.products(tenant, IDS, deadline=RequestDeadline(timeout))
    assert sorted(found.value) == IDS


async def test_what_changed_while_redis_was_away_is_not_served_when_it_is_back(
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


async def test_redis_and_the_platform_are_both_away(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant, redis: RedisServer, clock: FakeClock
) -> None:
    """What the process remembers serves as far as it goes; the rest fails as the platform does."""
    redis.kill()
    await serve(cached, tenant)
    live.error = PlatformFailed()
    clock.move(TTLS.price_max_age + 1)
    await serve(cached, tenant)
    with pytest.raises(PlatformUnavailable):
        await cached.products(tenant, IDS, TTLS.price_max_age)
    with pytest.raises(PlatformFailed):
        await cached.products(tenant, [4])
