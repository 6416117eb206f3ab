"""Every store of bytes, held to the same rules: in memory, in Redis, and in memory because Redis is away."""

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
from bundlesvc.redis_connection import RedisConnection, RedisUnavailable
from tests.redis_server import RedisServer

NOW = 1_800_000_000_000_000
OLD, NEW, NEWER = (encode("value", NOW + seconds) for seconds in (0, 1, 2))
NOTHING = b""


@pytest.fixture(
    params=[
        "memory",
        *(pytest.param(kind, marks=pytest.mark.process) for kind in ("redis", "redis and memory", "redis away")),
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
    if request.param == "redis away":
        server.kill()
    return FallbackStore(shared, MemoryStore())


async def keep(store: Store, **values: bytes) -> None:
    """Put values in as a process does that saw nothing."""
    await store.settle(dict.fromkeys(values, NOTHING), {name: StoredBytes(raw) for name, raw in values.items()}, "")


async def kept(store: Store, *names: str) -> list[bytes | None]:
    return list(await store.read(names))


async def test_many_in_one_go(store: Store) -> None:
    await keep(store, a=OLD, b=NEW)
    assert await kept(store, "b", "none", "a", "b") == [NEW, None, OLD, NEW]
    assert await kept(store) == []


async def test_more_than_go_into_one_question(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "MAX_NAMES", 7)
    values = {f"name-{number}": encode(number, NOW + number) for number in range(50)}
    nothing = dict.fromkeys(values, NOTHING)
    assert await store.claim(nothing, "token", 5) == ClaimResult(frozenset(values), {})
    await store.settle(nothing, {name: StoredBytes(raw) for name, raw in values.items()}, "token")
    assert await kept(store, *values) == list(values.values())
    assert (await store.claim(nothing, "token", 5)).refreshed == values
    await store.delete(values)
    assert await kept(store, *values) == [None] * 50


async def test_deleting(store: Store) -> None:
    await keep(store, a=OLD, b=NEW)
    await store.delete(["a", "none"])
    await store.delete([])
    assert await kept(store, "a", "b") == [None, NEW]


@pytest.mark.parametrize(
    ("there", "seen", "brought", "expected"),
    [
        (None, None, OLD, OLD),
        (OLD, OLD, NEW, NEW),
        (OLD, OLD, OLD, OLD),
        (None, OLD, NEW, NEW),  # it left meanwhile
        (NEW, None, OLD, NEW),  # somebody was faster, and has the newer answer
        (NEW, None, NEWER, NEWER),
        (NEWER, OLD, NEW, NEWER),
        (b"rubbish", b"rubbish", NEW, NEW),
        (b"zzzzzzzzzzzzzzzzzzzzzzzzzzz", b"zzzzzzzzzzzzzzzzz", NEW, NEW),
        (encode("in the far future", NOW * 2), encode("in the far future", NOW * 2), NEW, NEW),
    ],
)
async def test_what_is_kept_is_the_newest(
    there: bytes | None, seen: bytes | None, brought: bytes, expected: bytes, store: Store
) -> None:
    if there is not None:
        await keep(store, a=there)
    await store.settle({"a": version_of(seen)}, {"a": StoredBytes(brought)}, "token")
    assert await kept(store, "a") == [expected]


async def test_a_claim_shows_what_was_renewed_since_it_was_seen(store: Store) -> None:
    await keep(store, same=OLD, renewed=NEW, appeared=NEWER)
    seen: Mapping[str, bytes] = {
        "same": version_of(OLD),
        "renewed": version_of(OLD),
        "appeared": NOTHING,
        "missing": NOTHING,
        "gone": version_of(OLD),
    }
    claims = await store.claim(seen, "token", 5)
    assert claims == ClaimResult(frozenset({"same", "missing", "gone"}), {"renewed": NEW, "appeared": NEWER})


@pytest.fixture
def shared(connection: RedisConnection) -> RedisStore:
    return RedisStore(connection)


async def test_what_is_claimed_is_nobody_else_s(shared: RedisStore) -> None:
    first = await shared.claim({"a": NOTHING, "b": NOTHING}, "first", 5)
    assert first.claimed == {"a", "b"}
    assert await shared.claim({"a": NOTHING, "c": NOTHING}, "second", 5) == ClaimResult(frozenset({"c"}), {})
    await shared.settle({"a": NOTHING}, {"a": StoredBytes(NEW)}, "first")
    assert await shared.claim({"a": NOTHING, "b": NOTHING}, "second", 5) == ClaimResult(frozenset(), {"a": NEW})


async def test_who_is_late_for_the_first_names_leaves_the_rest_to_who_has_them(
    shared: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names go out in portions, and two processes that ask the same at once take turns."""
    monkeypatch.setattr(stores, "MAX_NAMES", 2)
    nothing = dict.fromkeys("abcdef", NOTHING)
    await shared.claim(dict.fromkeys("ab", NOTHING), "first, so far", 5)
    assert await shared.claim(nothing, "second", 5) == ClaimResult(frozenset(), {})
    await shared.settle(dict.fromkeys("ab", NOTHING), {"a": StoredBytes(NEW)}, "first, so far")
    assert await shared.claim(nothing, "second", 5) == ClaimResult(frozenset("bcdef"), {"a": NEW})


async def test_who_has_some_of_the_first_names_claims_the_rest(
    shared: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "MAX_NAMES", 2)
    await shared.claim(dict.fromkeys("bcd", NOTHING), "first", 5)
    assert (await shared.claim(dict.fromkeys("abcdef", NOTHING), "second", 5)).claimed == {"a", "e", "f"}


async def test_who_failed_gives_back_what_was_claimed(shared: RedisStore) -> None:
    await shared.claim({"a": NOTHING}, "first", 5)
    await shared.settle({"a": NOTHING}, {}, "first")
    assert (await shared.claim({"a": NOTHING}, "second", 5)).claimed == {"a"}


async def test_only_who_claimed_gives_back(shared: RedisStore) -> None:
    await shared.claim({"a": NOTHING}, "first", 5)
    await shared.settle({"a": NOTHING}, {"a": StoredBytes(NEW)}, "second")
    assert (await shared.claim({"a": version_of(NEW)}, "third", 5)).claimed == frozenset()


async def test_a_claim_expires(shared: RedisStore, redis: RedisServer) -> None:
    await shared.claim({"a": NOTHING}, "first", 5)
    with redis.client() as client:
        assert 0 < int(client.pttl(f"{CLAIMS}a")) <= 5000


async def test_nothing_stays_for_longer_than_it_serves(shared: RedisStore, redis: RedisServer) -> None:
    nothing = {"a": NOTHING, "b": NOTHING}
    await shared.claim(nothing, "token", 5)
    await shared.settle(nothing, {"a": StoredBytes(NEW), "b": StoredBytes(NEW, 30)}, "token")
    assert redis.keys() == [b"a", b"b"]
    with redis.client() as client:
        for name, seconds in (("a", DAY_SECONDS), ("b", 30)):
            assert seconds * 1000 - 5000 < int(client.pttl(name)) <= seconds * 1000


async def test_what_is_not_even_a_text(shared: RedisStore, redis: RedisServer, connection: RedisConnection) -> None:
    with redis.client() as client:
        client.lpush("a", "rubbish")
        client.sadd(f"{CLAIMS}b", "rubbish")
    assert await kept(shared, "a") == [None]
    assert (await shared.claim({"a": NOTHING}, "token", 5)).claimed == {"a"}
    await shared.settle({"a": NOTHING, "b": NOTHING}, {"a": StoredBytes(NEW), "b": StoredBytes(NEW)}, "token")
    assert await kept(shared, "a", "b") == [NEW, NEW]
    assert connection.up


async def test_many_names_are_one_round_trip(
    shared: RedisStore, connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = {f"name-{number}": NOTHING for number in range(200)}
    asked = []
    ask = connection.run

    async def counted(question: Callable[[], Awaitable[object]]) -> object:
        asked.append(question)
        return await ask(question)

    monkeypatch.setattr(connection, "run", counted)
    await shared.read(list(nothing))
    await shared.claim(nothing, "token", 5)
    await shared.settle(nothing, dict.fromkeys(nothing, StoredBytes(NEW)), "token")
    await shared.delete(nothing)
    assert len(asked) == 4


async def test_a_store_that_is_away_says_so(shared: RedisStore, redis: RedisServer) -> None:
    redis.kill()
    with pytest.raises(RedisUnavailable):
        await kept(shared, "a")
    with pytest.raises(RedisUnavailable):
        await shared.claim({"a": NOTHING}, "token", 5)
    with pytest.raises(RedisUnavailable):
        await shared.settle({"a": NOTHING}, {"a": StoredBytes(NEW)}, "token")
    with pytest.raises(RedisUnavailable):
        await shared.delete(["a"])


async def test_what_is_deleted_while_redis_is_away_is_gone_from_memory(shared: RedisStore, redis: RedisServer) -> None:
    store = FallbackStore(shared, MemoryStore())
    redis.kill()
    await keep(store, a=NEW)
    await store.delete(["a"])
    assert await kept(store, "a") == [None]


async def test_memory_is_bounded() -> None:
    store = MemoryStore(max_bytes=100_000)
    for number in range(1000):
        await keep(store, **{f"name-{number}": encode("x" * 1000, NOW)})
    assert store._cache._cache.total <= 100_000
    assert await kept(store, "name-0", "name-999") == [None, encode("x" * 1000, NOW)]
    assert store._cache._handlers == {}
