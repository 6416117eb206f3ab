"""Token buckets: what a bucket says of each request, and that it never lets more through than it should (design 5)."""

import asyncio
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bundlesvc.ports import BucketState
from bundlesvc.ratelimit import memory
from bundlesvc.ratelimit.memory import MemoryBuckets
from tests.fakes import FakeClock

PROPERTY = settings(deadline=None, max_examples=150)


class ShortClock(FakeClock):
    """A clock that begins where a computer was just started: fractions of seconds are exact enough to count in."""

    def __init__(self) -> None:
        super().__init__(0.0)


def take(buckets: MemoryBuckets, name: str = "key:1", capacity: int = 100) -> BucketState:
    return asyncio.run(buckets.take(name, capacity))


def state(allowed: bool, capacity: int, remaining: int, until_full: int, retry_after: int) -> BucketState:
    return BucketState(allowed, capacity, remaining, until_full, retry_after)


@pytest.mark.parametrize(
    ("capacity", "steps"),
    [
        # (seconds since the step before, what the bucket says)
        (100, [(0, state(True, 100, 99, 1, 0)), (0, state(True, 100, 98, 2, 0)), (0.6, state(True, 100, 98, 2, 0))]),
        (100, [(0, state(True, 100, 99, 1, 0)), (600, state(True, 100, 99, 1, 0))]),  # never more than full
        (1, [(0, state(True, 1, 0, 60, 0)), (0, state(False, 1, 0, 60, 60)), (59, state(False, 1, 0, 1, 1))]),
        (1, [(0, state(True, 1, 0, 60, 0)), (60, state(True, 1, 0, 60, 0))]),
        (2, [(0, state(True, 2, 1, 30, 0)), (15, state(True, 2, 0, 45, 0)), (0, state(False, 2, 0, 45, 15))]),
        (3, [(0, state(True, 3, 2, 20, 0)), (0, state(True, 3, 1, 40, 0)), (0, state(True, 3, 0, 60, 0)),
             (0, state(False, 3, 0, 60, 20)), (10, state(False, 3, 0, 50, 10)), (10, state(True, 3, 0, 60, 0))]),
        (7, [(0, state(True, 7, 6, 9, 0))]),  # 60 / 7 = 8.57: rounded up
        (6000, [(0, state(True, 6000, 5999, 1, 0))]),
    ],
)  # fmt: skip
def test_what_a_bucket_says(capacity: int, steps: list[tuple[float, BucketState]]) -> None:
    clock = ShortClock()
    buckets = MemoryBuckets(clock)
    for seconds, expected in steps:
        clock.move(seconds)
        assert take(buckets, capacity=capacity) == expected


@pytest.mark.parametrize("capacity", [1, 2, 7, 30, 60, 99, 100, 101, 6000, 1_000_000])
def test_a_quiet_key_may_burst_one_minute_s_worth(capacity: int) -> None:
    burst = min(capacity, 10_000)
    buckets = MemoryBuckets(ShortClock())

    async def take_all() -> list[BucketState]:
        return [await buckets.take("key:1", capacity) for _ in range(burst)]

    states = asyncio.run(take_all())
    assert all(each.allowed for each in states)
    assert [each.remaining for each in states] == list(range(capacity - 1, capacity - 1 - burst, -1))
    assert take(buckets, capacity=capacity).allowed == (burst < capacity)


@pytest.mark.parametrize("capacity", [1, 3, 7, 59, 60, 61, 100, 119, 120, 1000])
def test_who_waits_as_long_as_told_is_let_through(capacity: int) -> None:
    clock = FakeClock()
    buckets = MemoryBuckets(clock)
    for _ in range(capacity):
        take(buckets, capacity=capacity)
    for _ in range(50):
        refused = take(buckets, capacity=capacity)
        while refused.allowed:
            refused = take(buckets, capacity=capacity)
        assert refused.retry_after >= 1
        clock.move(refused.retry_after)
        assert take(buckets, capacity=capacity).allowed


def test_who_is_refused_owes_nothing_for_it() -> None:
    clock = ShortClock()
    buckets = MemoryBuckets(clock)
    for _ in range(2):
        take(buckets, capacity=2)
    for _ in range(1000):
        assert not take(buckets, capacity=2).allowed
    clock.move(30)
    assert take(buckets, capacity=2).allowed


def test_buckets_do_not_share() -> None:
    buckets = MemoryBuckets(ShortClock())
    assert take(buckets, "key:1", 1).allowed
    assert not take(buckets, "key:1", 1).allowed
    assert take(buckets, "key:2", 1).allowed


def test_a_changed_capacity_counts_at_once() -> None:
    clock = ShortClock()
    buckets = MemoryBuckets(clock)
    assert take(buckets, capacity=100).remaining == 99
    assert take(buckets, capacity=10).remaining == 9
    clock.move(60)
    assert take(buckets, capacity=1000).remaining == 999


def test_a_token_is_given_back() -> None:
    buckets = MemoryBuckets(ShortClock())
    for _ in range(50):
        assert take(buckets, capacity=1).allowed
        asyncio.run(buckets.give_back("key:1", 1))


def test_a_bucket_is_never_more_than_full() -> None:
    buckets = MemoryBuckets(ShortClock())
    for _ in range(10):
        asyncio.run(buckets.give_back("key:1", 2))
    assert [take(buckets, capacity=2).allowed for _ in range(3)] == [True, True, False]


steps = st.lists(st.tuples(st.floats(0, 90, allow_nan=False), st.integers(1, 40)), min_size=1, max_size=40)


@PROPERTY
@given(st.integers(1, 600), steps)
def test_never_more_than_the_capacity_and_what_time_refilled(capacity: int, steps: list[tuple[float, int]]) -> None:
    """Between any two moments, not only since the beginning."""
    clock = ShortClock()
    buckets = MemoryBuckets(clock)

    async def run() -> list[float]:
        allowed_at: list[float] = []
        for seconds, requests in steps:
            clock.move(seconds)
            states = [await buckets.take("key:1", capacity) for _ in range(requests)]
            allowed_at += [clock.monotonic() for each in states if each.allowed]
        return allowed_at

    allowed_at = asyncio.run(run())
    for first, begun in enumerate(allowed_at):
        for last in range(first, len(allowed_at), 7):
            elapsed = allowed_at[last] - begun
            assert last - first + 1 <= capacity + elapsed * capacity / 60 + 1e-6


@PROPERTY
@given(st.integers(1, 600), steps)
def test_no_request_is_refused_that_is_due(capacity: int, steps: list[tuple[float, int]]) -> None:
    """Against a bucket reckoned plainly; a hair's breadth at the edge may fall either way. And what it says agrees."""
    clock = ShortClock()
    buckets = MemoryBuckets(clock)

    async def run() -> None:
        tokens = float(capacity)
        for seconds, requests in steps:
            clock.move(seconds)
            tokens = min(float(capacity), tokens + seconds * capacity / 60)
            for _ in range(requests):
                found = await buckets.take("key:1", capacity)
                if abs(tokens - 1) > 1e-6:
                    assert found.allowed == (tokens >= 1)
                tokens -= found.allowed
                assert found.remaining in {math.floor(tokens + 1e-6), math.floor(max(tokens, 0) - 1e-6)}
                assert 0 <= found.remaining <= capacity
                assert (found.retry_after == 0) == found.allowed
                assert abs(found.until_full - (capacity - tokens) * 60 / capacity) <= 1 + 1e-6

    asyncio.run(run())


def test_the_number_of_buckets_is_bounded() -> None:
    clock = ShortClock()
    buckets = MemoryBuckets(clock, max_buckets=50)
    for number in range(1000):
        assert take(buckets, f"guesses:{number}", 30).remaining == 29
        clock.move(0.01)
        assert len(buckets._buckets) <= 50
    assert memory.MAX_BUCKETS == 50_000


def test_full_buckets_are_forgotten_first() -> None:
    clock = ShortClock()
    buckets = MemoryBuckets(clock, max_buckets=3)
    take(buckets, "resting", 10)
    clock.move(30)
    take(buckets, "busy", 10)
    clock.move(30)
    take(buckets, "another", 10)
    take(buckets, "newcomer", 10)
    assert set(buckets._buckets) == {"busy", "another", "newcomer"}
    assert take(buckets, "resting", 10).remaining == 9


def test_when_none_is_full_the_one_that_rests_longest_is_forgotten() -> None:
    clock = ShortClock()
    buckets = MemoryBuckets(clock, max_buckets=2)
    for name in ("first", "second", "third"):
        clock.move(1)
        take(buckets, name, 10)
    assert set(buckets._buckets) == {"second", "third"}


def test_a_bucket_in_use_is_not_forgotten_for_others() -> None:
    """A key that is at its limit stays there, however many strangers come by."""
    clock = ShortClock()
    buckets = MemoryBuckets(clock, max_buckets=10)
    for _ in range(2):
        take(buckets, "key:1", 2)
    for number in range(200):
        clock.move(0.01)
        take(buckets, f"guesses:{number}", 30)
        assert not take(buckets, "key:1", 2).allowed
