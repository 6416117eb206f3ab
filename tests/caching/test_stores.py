"""The rules that every cache store follows: the one in memory, the one in Redis, and the one that falls back to memory while
Redis is down."""

from collections.abc import Awaitable, Callable, Mapping

import pytest

from bundlesvc.caching import stores
from bundlesvc.caching.entries import DAY_SECONDS
from bundlesvc.caching.entry_store import encode
from bundlesvc.caching.stores import (
    CLAIMS,
    ClaimResult,
    FallbackStore,
    MemoryStore,
    RedisStore,
    Store,
    StoredBytes,
    version_of,
)
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.redis.names import RedisUnavailable
from tests.servers.redis_server import RedisServer

NOW = 1_800_000_000_000_000
OLD, NEW, NEWER = (encode("value", NOW + seconds) for seconds in (0, 1, 2))
NOTHING = b""


@pytest.fixture(
    params=[
        "memory",
        *(pytest.param(kind, marks=pytest.mark.process) for kind in ("redis", "redis and memory", "redis down")),
    ]
)
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        return MemoryStore()
    server: RedisServer = request.getfixturevalue("redis")
    connection: RedisConnection = request.getfixturevalue("connection")
    shared = RedisStore(connection)
    if request.param == "redis":
        return shared
    if request.param == "redis down":
        server.kill()
    return FallbackStore(shared, MemoryStore())


async def put(store: Store, **values: bytes) -> None:
    """Store values as a process that has found no entries would."""
    await store.settle(dict.fromkeys(values, NOTHING), {name: StoredBytes(raw) for name, raw in values.items()}, "")


async def stored(store: Store, *names: str) -> list[bytes | None]:
    return list(await store.read(names))


async def test_many_names_are_read_in_their_order(store: Store) -> None:
    await put(store, a=OLD, b=NEW)
    assert await stored(store, "b", "none", "a", "b") == [NEW, None, OLD, NEW]
    assert await stored(store) == []


async def test_many_names_are_sent_in_several_commands(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "MAX_NAMES", 7)
    values = {f"name-{number}": encode(number, NOW + number) for number in range(50)}
    nothing = dict.fromkeys(values, NOTHING)
    assert await store.claim(nothing, "token", 5) == ClaimResult(frozenset(values), {})
    await store.settle(nothing, {name: StoredBytes(raw) for name, raw in values.items()}, "token")
    assert await stored(store, *values) == list(values.values())
    assert (await store.claim(nothing, "token", 5)).refreshed == values
    await store.delete(values)
    assert await stored(store, *values) == [None] * 50


async def test_deleted_names_are_gone(store: Store) -> None:
    await put(store, a=OLD, b=NEW)
    await store.delete(["a", "none"])
    await store.delete([])
    assert await stored(store, "a", "b") == [None, NEW]


@pytest.mark.parametrize(
    ("there", "seen", "fetched", "expected"),
    [
        (None, None, OLD, OLD),
        (OLD, OLD, NEW, NEW),
        (OLD, OLD, OLD, OLD),
        (None, OLD, NEW, NEW),  # it was evicted in the meantime
        (NEW, None, OLD, NEW),  # another process stored a newer value first
        (NEW, None, NEWER, NEWER),
        (NEWER, OLD, NEW, NEWER),
        (b"corrupt", b"corrupt", NEW, NEW),
        (b"zzzzzzzzzzzzzzzzzzzzzzzzzzz", b"zzzzzzzzzzzzzzzzz", NEW, NEW),
        (encode("in the far future", NOW * 2), encode("in the far future", NOW * 2), NEW, NEW),
    ],
)
async def test_newest_entry_stays_stored(
    there: bytes | None, seen: bytes | None, fetched: bytes, expected: bytes, store: Store
) -> None:
    if there is not None:
        await put(store, a=there)
    await store.settle({"a": version_of(seen)}, {"a": StoredBytes(fetched)}, "token")
    assert await stored(store, "a") == [expected]


async def test_claim_returns_entries_refreshed_since_they_were_read(store: Store) -> None:
    await put(store, same=OLD, refreshed=NEW, new=NEWER)
    seen: Mapping[str, bytes] = {
        "same": version_of(OLD),
        "refreshed": version_of(OLD),
        "new": NOTHING,
        "missing": NOTHING,
        "gone": version_of(OLD),
    }
    claims = await store.claim(seen, "token", 5)
    assert claims == ClaimResult(frozenset({"same", "missing", "gone"}), {"refreshed": NEW, "new": NEWER})


@pytest.fixture
def shared(connection: RedisConnection) -> RedisStore:
    return RedisStore(connection)


async def test_claimed_name_cannot_be_claimed_again(shared: RedisStore) -> None:
    first = await shared.claim({"a": NOTHING, "b": NOTHING}, "first", 5)
    assert first.claimed == {"a", "b"}
    assert await shared.claim({"a": NOTHING, "c": NOTHING}, "second", 5) == ClaimResult(frozenset({"c"}), {})
    await shared.settle({"a": NOTHING}, {"a": StoredBytes(NEW)}, "first")
    assert await shared.claim({"a": NOTHING, "b": NOTHING}, "second", 5) == ClaimResult(frozenset(), {"a": NEW})


async def test_claim_of_no_first_name_leaves_the_rest(shared: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that cannot claim any name in the first batch does not try to claim the remaining ones.

    Names are claimed in batches, and when two processes read the same names, one of the processes gets all of the names."""
    monkeypatch.setattr(stores, "MAX_NAMES", 2)
    nothing = dict.fromkeys("abcdef", NOTHING)
    await shared.claim(dict.fromkeys("ab", NOTHING), "first, so far", 5)
    assert await shared.claim(nothing, "second", 5) == ClaimResult(frozenset(), {})
    await shared.settle(dict.fromkeys("ab", NOTHING), {"a": StoredBytes(NEW)}, "first, so far")
    assert await shared.claim(nothing, "second", 5) == ClaimResult(frozenset("bcdef"), {"a": NEW})


async def test_claim_of_some_first_names_goes_on_to_the_rest(
    shared: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "MAX_NAMES", 2)
    await shared.claim(dict.fromkeys("bcd", NOTHING), "first", 5)
    assert (await shared.claim(dict.fromkeys("abcdef", NOTHING), "second", 5)).claimed == {"a", "e", "f"}


async def test_claim_is_released_after_a_failure(shared: RedisStore) -> None:
    await shared.claim({"a": NOTHING}, "first", 5)
    await shared.settle({"a": NOTHING}, {}, "first")
    assert (await shared.claim({"a": NOTHING}, "second", 5)).claimed == {"a"}


async def test_claim_is_released_by_its_token_only(shared: RedisStore) -> None:
    await shared.claim({"a": NOTHING}, "first", 5)
    await shared.settle({"a": NOTHING}, {"a": StoredBytes(NEW)}, "second")
    assert (await shared.claim({"a": version_of(NEW)}, "third", 5)).claimed == frozenset()


async def test_claim_expires(shared: RedisStore, redis: RedisServer) -> None:
    await shared.claim({"a": NOTHING}, "first", 5)
    with redis.client() as client:
        assert 0 < int(client.pttl(f"{CLAIMS}a")) <= 5000


async def test_entries_expire_in_redis_with_their_lifetime(shared: RedisStore, redis: RedisServer) -> None:
    nothing = {"a": NOTHING, "b": NOTHING}
    await shared.claim(nothing, "token", 5)
    await shared.settle(nothing, {"a": StoredBytes(NEW), "b": StoredBytes(NEW, 30)}, "token")
    assert redis.keys() == [b"a", b"b"]
    with redis.client() as client:
        for name, seconds in (("a", DAY_SECONDS), ("b", 30)):
            assert seconds * 1000 - 5000 < int(client.pttl(name)) <= seconds * 1000


async def test_values_of_other_types_are_overwritten(
    shared: RedisStore, redis: RedisServer, connection: RedisConnection
) -> None:
    with redis.client() as client:
        client.lpush("a", "corrupt")
        client.sadd(f"{CLAIMS}b", "corrupt")
    assert await stored(shared, "a") == [None]
    assert (await shared.claim({"a": NOTHING}, "token", 5)).claimed == {"a"}
    await shared.settle({"a": NOTHING, "b": NOTHING}, {"a": StoredBytes(NEW), "b": StoredBytes(NEW)}, "token")
    assert await stored(shared, "a", "b") == [NEW, NEW]
    assert connection.up


async def test_many_names_are_one_round_trip(
    shared: RedisStore, connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = {f"name-{number}": NOTHING for number in range(200)}
    commands = []
    run = connection.run

    async def counted(command: Callable[[], Awaitable[object]]) -> object:
        commands.append(command)
        return await run(command)

    monkeypatch.setattr(connection, "run", counted)
    await shared.read(list(nothing))
    await shared.claim(nothing, "token", 5)
    await shared.settle(nothing, dict.fromkeys(nothing, StoredBytes(NEW)), "token")
    await shared.delete(nothing)
    assert len(commands) == 4


async def test_unavailable_redis_raises_in_every_method(shared: RedisStore, redis: RedisServer) -> None:
    redis.kill()
    with pytest.raises(RedisUnavailable):
        await stored(shared, "a")
    with pytest.raises(RedisUnavailable):
        await shared.claim({"a": NOTHING}, "token", 5)
    with pytest.raises(RedisUnavailable):
        await shared.settle({"a": NOTHING}, {"a": StoredBytes(NEW)}, "token")
    with pytest.raises(RedisUnavailable):
        await shared.delete(["a"])


async def test_entry_deleted_while_redis_is_down_is_gone_from_memory(shared: RedisStore, redis: RedisServer) -> None:
    store = FallbackStore(shared, MemoryStore())
    redis.kill()
    await put(store, a=NEW)
    await store.delete(["a"])
    assert await stored(store, "a") == [None]


async def test_memory_is_bounded() -> None:
    store = MemoryStore(max_bytes=100_000)
    for number in range(1000):
        await put(store, **{f"name-{number}": encode("x" * 1000, NOW)})
    assert store._cache._cache.total <= 100_000
    assert await stored(store, "name-0", "name-999") == [None, encode("x" * 1000, NOW)]
    assert store._cache._handlers == {}
