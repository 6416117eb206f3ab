"""Token buckets in memory: how many there are, and which of them are forgotten. What a bucket says is in `test_buckets.py`."""

from bundlesvc.ratelimit import memory
from bundlesvc.ratelimit.memory import MemoryBuckets
from tests.fakes import FakeClock


async def test_the_number_of_buckets_is_bounded() -> None:
    clock = FakeClock()
    buckets = MemoryBuckets(clock, max_buckets=50)
    for number in range(1000):
        assert (await buckets.take(f"guesses:{number}", 30)).remaining == 29
        clock.move(0.01)
        assert len(buckets._buckets) <= 50
    assert memory.MAX_BUCKETS == 50_000


async def test_full_buckets_are_forgotten_first() -> None:
    clock = FakeClock()
    buckets = MemoryBuckets(clock, max_buckets=3)
    await buckets.take("resting", 10)
    clock.move(30)
    await buckets.take("busy", 10)
    clock.move(30)
    await buckets.take("another", 10)
    await buckets.take("newcomer", 10)
    assert set(buckets._buckets) == {"busy", "another", "newcomer"}
    assert (await buckets.take("resting", 10)).remaining == 9


async def test_when_none_is_full_the_one_that_rests_longest_is_forgotten() -> None:
    clock = FakeClock()
    buckets = MemoryBuckets(clock, max_buckets=2)
    for name in ("first", "second", "third"):
        clock.move(1)
        await buckets.take(name, 10)
    assert set(buckets._buckets) == {"second", "third"}


async def test_a_bucket_in_use_is_not_forgotten_for_others() -> None:
    """A key that is at its limit stays there, however many strangers come by."""
    clock = FakeClock()
    buckets = MemoryBuckets(clock, max_buckets=10)
    for _ in range(2):
        await buckets.take("key:1", 2)
    for number in range(200):
        clock.move(0.01)
        await buckets.take(f"guesses:{number}", 30)
        assert not (await buckets.take("key:1", 2)).allowed
