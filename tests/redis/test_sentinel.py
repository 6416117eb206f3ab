"""The connection to the primary server that Sentinel reports (docs/scaling.md#sentinel-and-cluster)."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from redis import Redis

from bundlesvc.domain.rate_limit import Bucket
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.redis.names import RedisUnavailable
from tests.fakes import FakeClock
from tests.servers.redis_groups import SERVICE, WatchedPrimary, watched_primary
from tests.servers.redis_server import PASSWORD, USER, count_contexts, tls_in_front_of, until_up
from tests.storage.database.postgresql.certificates import Authority

pytestmark = pytest.mark.process

CAPACITY = 5
BUCKET = [Bucket("key", "{key:1}", CAPACITY, 36_000.0)]
"""A bucket that is not refilled while a test runs."""


@pytest.fixture(scope="module")
def watched() -> Iterator[WatchedPrimary]:
    """A primary and its Sentinel, shared by tests that do not replace the primary."""
    with watched_primary() as watched:
        yield watched


@pytest.fixture
def own_watched() -> Iterator[WatchedPrimary]:
    with watched_primary() as watched:
        yield watched


@pytest.fixture
async def opened(own_watched: WatchedPrimary, long_redis_timeout: None) -> AsyncIterator[RedisConnection]:
    connection = RedisConnection(own_watched.url())
    await connection.start()
    yield connection
    await connection.aclose()


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """A function that returns what the Redis connection has logged so far."""
    caplog.set_level(logging.INFO)
    return lambda: [record.getMessage() for record in caplog.records if record.name == "bundlesvc.redis.connection"]


async def put(connection: RedisConnection, key: str) -> None:
    await connection.run(lambda: connection.client.set(key, "1"))


async def test_primary_server_is_found_with_user_password_and_database_number(
    watched: WatchedPrimary, long_redis_timeout: None
) -> None:
    """The primary is found even though the first Sentinel in the URL is not running and the other Sentinel requires its own
    credentials."""
    with Redis(host="127.0.0.1", port=watched.sentinel.port) as client:
        client.execute_command("ACL", "SETUSER", "finder", "on", ">hunter4", "allchannels", "+@all")
    url = watched.url("?sentinel_username=finder&sentinel_password=hunter4").replace("://", f"://{USER}:{PASSWORD}@")
    connection = RedisConnection(url.replace("/0?", "/3?"))
    await connection.start()
    await put(connection, "there")
    assert await connection.run(connection.client.acl_whoami) == USER
    await connection.aclose()
    assert connection.failures == 0
    with watched.primary.client() as client:
        client.select(3)
        assert client.keys("there") == [b"there"]


async def test_connections_to_sentinels_and_to_redis_use_tls(
    watched: WatchedPrimary, authority: Authority, long_redis_timeout: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections to Sentinels and to Redis use TLS, with one TLS context for the Sentinels and one for Redis. The Sentinel
    reports the address of Redis's port without TLS, so the test replaces this address."""
    made = count_contexts(monkeypatch)
    files = authority.sign("server", "127.0.0.1")
    async with tls_in_front_of(watched.sentinel, files) as sentinel, tls_in_front_of(watched.primary, files) as redis:
        url = f"rediss+sentinel://127.0.0.1:{sentinel}/{SERVICE}?ssl_ca_certs={authority.certificate}"
        connection = RedisConnection(url)
        manager = connection.client.connection_pool.sentinel_manager
        find = manager.discover_master

        async def in_front(service: str) -> tuple[str, int]:
            assert await find(service) == ("127.0.0.1", watched.primary.port)
            return "127.0.0.1", redis

        manager.discover_master = in_front
        await asyncio.gather(*(put(connection, "by-tls") for _ in range(5)))
        await connection.aclose()
    assert watched.primary.keys("by-tls") == [b"by-tls"]
    assert len(made) == 2


async def test_replaced_primary_server_is_followed(
    own_watched: WatchedPrimary, opened: RedisConnection, lines: Callable[[], list[str]]
) -> None:
    """A connection to the old primary, which is now a replica, is reopened on the first write, and no command fails."""
    buckets = RedisBuckets(opened, MemoryBuckets(FakeClock()))
    await asyncio.gather(*(put(opened, f"old-{number}") for number in range(10)))
    own_watched.replace()
    await asyncio.gather(*(put(opened, f"new-{number}") for number in range(10)))
    assert len(own_watched.primary.keys("new-*")) == 10
    (state,) = await buckets.take(BUCKET)
    assert state.remaining == CAPACITY - 1
    assert own_watched.primary.keys("bundlesvc:bucket:*") == [b"bundlesvc:bucket:{key:1}"]
    assert (opened.failures, lines()) == (0, [])


async def test_limits_are_local_until_a_killed_primary_server_is_replaced(
    own_watched: WatchedPrimary, opened: RedisConnection, lines: Callable[[], list[str]]
) -> None:
    buckets = RedisBuckets(opened, MemoryBuckets(FakeClock()))
    await buckets.take(BUCKET)
    old = own_watched.primary
    old.kill()
    states = [(await buckets.take(BUCKET))[0].allowed for _ in range(CAPACITY + 1)]
    assert states == [True] * CAPACITY + [False], "counted in this process"
    with pytest.raises(RedisUnavailable):
        await put(opened, "away")
    own_watched.until_promoted(old)
    await until_up(opened)
    await put(opened, "there")
    assert own_watched.primary.keys("there") == [b"there"]
    assert [line.partition(" can")[0] for line in lines()] == [opened.name] * 2
    (state,) = await buckets.take(BUCKET)
    assert state.allowed, "the replica's tokens"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("redis+sentinel://127.0.0.1:{sentinel}/other", "they know no primary server of this name that is up"),
        ("redis+sentinel://127.0.0.1:1/primary-1", "none of them can be reached"),
        ("redis+sentinel://127.0.0.1:{server}/primary-1", "there is no Sentinel, but Redis itself: write redis://"),
        ("redis://127.0.0.1:{sentinel}", "it is a Sentinel: write redis+sentinel://"),
        ("redis+sentinel://user:hunter3@127.0.0.1:{sentinel}/primary-1", "invalid username-password pair"),
        (
            "redis+sentinel://127.0.0.1:{sentinel}/primary-1?sentinel_password=hunter3",
            "they refuse sentinel_username and sentinel_password",
        ),
        (
            "redis+sentinel://127.0.0.1:{sentinel}/primary-1?sentinel_username=user&sentinel_password=hunter3",
            "they refuse sentinel_username and sentinel_password",
        ),
    ],
)
async def test_wrong_address_is_logged_with_its_reason(
    place: str, reason: str, watched: WatchedPrimary, long_redis_timeout: None, lines: Callable[[], list[str]]
) -> None:
    connection = RedisConnection(place.format(server=watched.primary.port, sentinel=watched.sentinel.port))
    await connection.start()
    assert not connection.up
    await connection.aclose()
    (line,) = lines()
    assert reason in line
    assert "hunter" not in line
