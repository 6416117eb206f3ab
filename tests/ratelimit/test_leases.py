"""Leased tokens: processes never spend more tokens than the bucket contains, and a caller near its limit is counted exactly
(docs/decisions/0036-leases.md)."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from fakeredis import FakeAsyncRedis
from fakeredis.commands_mixins import server_mixin
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.rate_limit import Bucket, BucketState
from bundlesvc.eager import Waiting, start
from bundlesvc.ratelimit.leases import LARGEST_SHARE, LEASE_SECONDS, LeasedBuckets
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from tests.fakes import FakeClock
from tests.ratelimit.kinds import PretendedRedis, ServerTime
from tests.running.properties import examples

MINUTE = 60.0
START = 10_000.0
"""The time on Redis's clock when a test begins: late enough to be set back, and early enough to represent fractions of seconds
exactly."""


@pytest.fixture(autouse=True, scope="module")
def server_time() -> Iterator[ServerTime]:
    with pytest.MonkeyPatch.context() as patch:
        time = ServerTime()
        patch.setattr(server_mixin, "time", time)
        yield time


class LosableRedis(PretendedRedis):
    """A Redis that the test can make unavailable and available again. Every process has its own connection, and all connections
    share the same data."""

    def __init__(self, client: FakeAsyncRedis) -> None:
        super().__init__()
        self.client = client
        self.is_up = True

    @property
    def up(self) -> bool:
        return self.is_up


class CountedBuckets(MemoryBuckets):
    """The local buckets of a process, which count the requests that they allowed."""

    allowed = 0

    async def take(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        states = await super().take(buckets)
        self.allowed += all(state.allowed for state in states)
        return states


@dataclass
class Process:
    """One process of the service, with its own clock."""

    clock: FakeClock
    redis: LosableRedis
    own: CountedBuckets
    buckets: LeasedBuckets

    def take_at_once(self, buckets: Sequence[Bucket]) -> Sequence[BucketState] | None:
        """Take a token without waiting. Returns None when Redis must be queried first."""
        taken = start(self.buckets.take(buckets))
        if isinstance(taken, Waiting):
            taken.close()
            return None
        return taken


@dataclass
class World:
    """Processes that share one Redis."""

    server_time: ServerTime
    client: FakeAsyncRedis = field(default_factory=FakeAsyncRedis)
    processes: list[Process] = field(default_factory=list)

    def start(self) -> Process:
        clock, redis = FakeClock(0.0), LosableRedis(self.client)
        own = CountedBuckets(clock)
        process = Process(clock, redis, own, LeasedBuckets(RedisBuckets(redis, own), own, clock))
        self.processes.append(process)
        return process

    def move(self, seconds: float) -> None:
        """Let time pass for all processes. Each process then checks its leases, as it would when its timer fires."""
        self.server_time.clock.move(seconds)
        for process in self.processes:
            process.clock.move(seconds)
            process.buckets.return_unused()

    async def stop(self) -> None:
        for process in self.processes:
            await process.buckets.aclose()
        await settle()

    async def tokens_in_redis(self, bucket: Bucket) -> float:
        value = await self.client.get(f"bundlesvc:bucket:{bucket.name}")
        return float(bucket.capacity) if value is None else float(value.split()[0])


async def settle() -> None:
    """Wait until all commands to Redis have ended."""
    for _ in range(30):
        await asyncio.sleep(0)


@pytest.fixture
async def world(server_time: ServerTime) -> AsyncIterator[World]:
    server_time.clock = FakeClock(START)
    world = World(server_time)
    yield world
    await world.stop()


async def test_busy_caller_needs_no_round_trip(world: World) -> None:
    process, key = world.start(), Bucket("key", "{key:1}", 6000)
    for _ in range(3):
        assert (await process.buckets.take([key]))[0].allowed
        await settle()
    states = [process.take_at_once([key]) for _ in range(3)]
    assert all(state is not None and state[0].allowed for state in states)


async def test_slow_caller_is_counted_in_redis_for_each_request(world: World) -> None:
    process, key = world.start(), Bucket("key", "{key:1}", 6000)
    for _ in range(10):
        assert process.take_at_once([key]) is None
        await process.buckets.take([key])
        await settle()
        world.move(1.0)
        await settle()


@pytest.mark.parametrize("capacity", [1, 5, 9])
async def test_small_limit_is_exact_over_processes(capacity: int, world: World) -> None:
    processes, key = [world.start() for _ in range(4)], Bucket("key", "{key:1}", capacity)
    allowed = 0
    for number in range(40):
        states = await processes[number % 4].buckets.take([key])
        await settle()
        allowed += states[0].allowed
    assert allowed == capacity


async def test_lease_is_a_small_part_of_the_bucket(world: World) -> None:
    process, key = world.start(), Bucket("key", "{key:1}", 1000)
    for _ in range(200):
        await process.buckets.take([key])
        await settle()
    assert await world.tokens_in_redis(key) >= 1000 - 200 - 1000 / LARGEST_SHARE


async def test_unused_tokens_return(world: World) -> None:
    process, key = world.start(), Bucket("key", "{key:1}", 1000)
    for _ in range(20):
        await process.buckets.take([key])
        await settle()
    assert await world.tokens_in_redis(key) < 980
    world.move(LEASE_SECONDS)
    await settle()
    assert await world.tokens_in_redis(key) == pytest.approx(980 + LEASE_SECONDS * 1000 / MINUTE)


async def test_stopping_process_returns_its_tokens(world: World) -> None:
    process, key = world.start(), Bucket("key", "{key:1}", 1000)
    for _ in range(20):
        await process.buckets.take([key])
        await settle()
    await process.buckets.aclose()
    assert await world.tokens_in_redis(key) == pytest.approx(980)


async def test_remaining_counts_down_request_by_request(world: World) -> None:
    process, key = world.start(), Bucket("key", "{key:1}", 1000)
    remaining = []
    for _ in range(50):
        remaining.append((await process.buckets.take([key]))[0].remaining)
        await settle()
    assert remaining == [*range(999, 949, -1)]


async def test_lease_serves_while_redis_is_away(world: World) -> None:
    process, key = world.start(), Bucket("key", "{key:1}", 10_000)
    for _ in range(20):
        await process.buckets.take([key])
        await settle()
    process.redis.is_up = False
    states = process.take_at_once([key])
    assert states is not None
    assert states[0].remaining == 10_000 - 21  # the tokens left in the shared bucket
    assert process.own.allowed == 0
    world.move(LEASE_SECONDS)
    states = process.take_at_once([key])
    assert states is not None
    assert states[0].remaining == 9_999  # the tokens left in the process's own bucket
    assert process.own.allowed == 1


async def test_new_capacity_ends_the_lease(world: World) -> None:
    process = world.start()
    for _ in range(20):
        await process.buckets.take([Bucket("key", "{key:1}", 1000)])
        await settle()
    assert process.take_at_once([Bucket("key", "{key:1}", 2)]) is None
    (state,) = await process.buckets.take([Bucket("key", "{key:1}", 2)])
    assert state.capacity == 2


async def test_request_with_two_buckets_needs_a_token_of_each(world: World) -> None:
    process = world.start()
    both = [Bucket("key", "{key:1}", 6000), Bucket("visitor", "{key:1}:visitor:a", 5)]
    allowed = 0
    for _ in range(20):
        allowed += all(state.allowed for state in await process.buckets.take(both))
        await settle()
    assert allowed == 5
    assert await world.tokens_in_redis(both[0]) == 5995


_NUMBER = st.integers(0, 3)
_EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("requests"), _NUMBER, st.integers(1, 60)),
        st.tuples(st.just("wait"), st.integers(1, 400), st.just(0)),
        st.tuples(st.just("die"), _NUMBER, st.just(0)),
        st.tuples(st.just("stop"), _NUMBER, st.just(0)),
        st.tuples(st.just("redis clock"), st.integers(-3000, 3000), st.just(0)),
        st.tuples(st.just("redis away"), _NUMBER, st.just(0)),
        st.tuples(st.just("redis back"), _NUMBER, st.just(0)),
    ),
    max_size=40,
)


class RandomRun:
    """A simulation of four processes with random requests and failures."""

    def __init__(self, world: World, key: Bucket) -> None:
        self.world = world
        self.key = key
        self.processes = [world.start() for _ in range(4)]
        self.everyone = list(self.processes)
        self.allowed = 0
        self.elapsed = 0.0

    @property
    def allowed_by_redis(self) -> int:
        return self.allowed - sum(process.own.allowed for process in self.everyone)

    async def happen(self, event: str, number: int, amount: int) -> None:
        process = self.processes[number % 4]
        match event:
            case "requests":
                await self.send_requests(process, amount)
            case "wait":
                self.elapsed += number / 1000
                self.world.move(number / 1000)
            case "die":
                self.replace(number % 4)
            case "stop":
                await process.buckets.aclose()
            case "redis clock":
                self.elapsed += max(0.0, number / 1000)
                self.world.server_time.clock.move(number / 1000)
            case _:
                process.redis.is_up = event == "redis back"
        await settle()

    async def send_requests(self, process: Process, number: int) -> None:
        for _ in range(number):
            self.allowed += (await process.buckets.take([self.key]))[0].allowed
            if number % 3:  # otherwise the requests come too fast for a lease to arrive
                await settle()

    def replace(self, place: int) -> None:
        """Let a process die without returning its leases, and start another one."""
        self.world.processes.remove(self.processes[place])
        self.processes[place] = self.world.start()
        self.everyone.append(self.processes[place])


@examples(150)
@given(capacity=st.sampled_from([1, 5, 20, 100, 1000, 30_000]), events=_EVENTS)
def test_never_more_tokens_are_spent_than_the_bucket_has(
    server_time: ServerTime, capacity: int, events: list[tuple[str, int, int]]
) -> None:
    """Processes never spend more tokens than the bucket contains, whatever the order of requests, even when processes crash or
    stop, Redis' clock jumps, or Redis fails. If Redis' clock jumps back, the bucket, like all buckets, is refilled again for the
    repeated period."""

    async def check() -> None:
        server_time.clock = FakeClock(START)
        run = RandomRun(World(server_time), Bucket("key", "{key:1}", capacity))
        for event in events:
            await run.happen(*event)
        assert run.allowed_by_redis <= capacity + run.elapsed * capacity / MINUTE + 1e-6
        await run.world.stop()

    asyncio.run(check())


@examples(100)
@given(
    capacity=st.sampled_from([5, 20, 100, 1000]),
    steps=st.lists(st.tuples(_NUMBER, st.integers(0, 400), st.integers(1, 60)), max_size=40),
)
def test_refusal_is_at_worst_one_of_the_last_leases(
    server_time: ServerTime, capacity: int, steps: list[tuple[int, int, int]]
) -> None:
    """A request is refused only if all tokens left in the bucket are leased to other processes, which keep these tokens no longer
    than the duration of a lease."""

    async def check() -> None:
        server_time.clock = FakeClock(START)
        world, key = World(server_time), Bucket("key", "{key:1}", capacity)
        processes = [world.start() for _ in range(4)]
        tokens, held = float(capacity), 3 * (capacity // LARGEST_SHARE)
        for number, moved, requests in steps:
            world.move(moved / 1000)
            await settle()
            tokens = min(capacity, tokens + moved / 1000 * capacity / MINUTE)
            for _ in range(requests):
                (state,) = await processes[number].buckets.take([key])
                await settle()
                tokens -= state.allowed
                if not state.allowed:
                    assert tokens < 1 + held + 1e-6
        world.move(LEASE_SECONDS)
        await settle()
        (state,) = await processes[0].buckets.take([key])
        await world.stop()
        assert state.allowed or min(capacity, tokens + LEASE_SECONDS * capacity / MINUTE) < 1 + 1e-6

    asyncio.run(check())
