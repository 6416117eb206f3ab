"""Token buckets in memory: how many are kept, and which are dropped. `test_buckets.py` tests their states."""

from bundlesvc.domain.rate_limit import HOUR, Bucket
from bundlesvc.ratelimit import memory
from bundlesvc.ratelimit.memory import MAX_DROPPED, MemoryBuckets
from tests.fakes import FakeClock


async def remaining(buckets: MemoryBuckets, bucket: Bucket) -> int:
    (state,) = await buckets.take([bucket])
    return state.remaining


async def allowed(buckets: MemoryBuckets, *taken: Bucket) -> bool:
    return all(state.allowed for state in await buckets.take(taken))


def guesses(name: object) -> Bucket:
    return Bucket("guesses", f"{{guesses:{name}}}", 30)


def key(name: object, capacity: int = 10) -> Bucket:
    return Bucket("key", f"{{key:{name}}}", capacity)


def visitor(name: object, capacity: int = 100) -> Bucket:
    return Bucket("visitor", f"{{key:1}}:visitor:{name}", capacity)


def names(buckets: MemoryBuckets, kind: str) -> list[str]:
    return list(buckets._tables[kind])


async def test_number_of_buckets_of_a_kind_is_bounded() -> None:
    clock = FakeClock()
    buckets = MemoryBuckets(clock, max_buckets=50)
    for number in range(1000):
        assert await remaining(buckets, guesses(number)) == 29
        clock.move(0.01)
        assert len(names(buckets, "guesses")) <= 50
    assert memory.MAX_BUCKETS == 50_000


async def test_full_bucket_is_dropped() -> None:
    clock = FakeClock()
    buckets = MemoryBuckets(clock)
    await buckets.take([key("resting")])
    clock.move(30)
    await buckets.take([key("busy")])
    clock.move(30)
    await buckets.take([key("another")])
    assert names(buckets, "key") == ["{key:busy}", "{key:another}"]
    assert await remaining(buckets, key("resting")) == 9


async def test_hourly_bucket_is_dropped_after_an_hour() -> None:
    clock = FakeClock()
    buckets = MemoryBuckets(clock)
    ghosts = [Bucket("ghost_variants", name, 30, HOUR) for name in ("first", "second", "third")]
    await buckets.take(ghosts[:1])
    clock.move(HOUR - 1)
    await buckets.take(ghosts[1:2])
    assert names(buckets, "ghost_variants") == ["first", "second"]
    clock.move(1)
    await buckets.take(ghosts[2:])
    assert names(buckets, "ghost_variants") == ["second", "third"]


async def test_least_recently_used_bucket_is_dropped_when_none_is_full() -> None:
    clock = FakeClock()
    buckets = MemoryBuckets(clock, max_buckets=2)
    for name in ("first", "second", "first", "third"):
        clock.move(1)
        await buckets.take([key(name)])
    assert names(buckets, "key") == ["{key:first}", "{key:third}"]


async def test_bucket_in_use_is_not_dropped_for_others() -> None:
    """A bucket in use is kept: a caller at its limit stays limited, however many others send requests."""
    clock = FakeClock()
    buckets = MemoryBuckets(clock, max_buckets=10)
    for _ in range(30):
        await buckets.take([guesses("busy")])
    for number in range(200):
        clock.move(0.001)
        await buckets.take([guesses(number)])
        assert not await allowed(buckets, guesses("busy"))


async def test_flood_of_addresses_drops_no_bucket_of_a_key() -> None:
    buckets = MemoryBuckets(FakeClock(), max_buckets=10)
    assert await allowed(buckets, key("quiet", 1))
    for number in range(200):
        await buckets.take([guesses(number)])
        await buckets.take([key("flooded", 1000), visitor(number)])
    assert not await allowed(buckets, key("quiet", 1))


async def test_request_refused_by_the_key_stores_nothing_for_its_visitor() -> None:
    buckets = MemoryBuckets(FakeClock())
    assert await allowed(buckets, key(1, 1), visitor("first"))
    for number in range(1000):
        assert not await allowed(buckets, key(1, 1), visitor(number))
    assert names(buckets, "visitor") == ["{key:1}:visitor:first"]


async def test_one_request_drops_few_buckets() -> None:
    clock = FakeClock()
    buckets = MemoryBuckets(clock)
    for number in range(1000):
        await buckets.take([guesses(number)])
    clock.move(3600)
    for number in range(1, 100):
        before = len(names(buckets, "guesses"))
        await buckets.take([guesses(f"later {number}")])
        assert before - MAX_DROPPED + 1 == len(names(buckets, "guesses"))
