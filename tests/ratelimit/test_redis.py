"""Token buckets in a real Redis: exact across processes, and local to each process while Redis is down
(docs/contract.md#rate-limits). `test_buckets.py` tests their states."""

import asyncio
import subprocess
import sys
from contextlib import ExitStack
from typing import IO

import pytest
from redis.crc import key_slot

from bundlesvc.domain.rate_limit import HOUR, Bucket
from bundlesvc.ratelimit.leases import LeasedBuckets
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from bundlesvc.redis import connection as redis_connection
from bundlesvc.redis.connection import TIMEOUT, RedisConnection
from bundlesvc.system import SystemClock
from tests.fakes import FakeClock
from tests.servers.redis_server import TEST_TIMEOUT, RedisServer, until_up

KEY = "bundlesvc:bucket:key:1"
CAPACITY = 6
"""The tokens per minute of most buckets here: the next token is added only after ten seconds, long after the end of the test."""


def bucket(capacity: int) -> Bucket:
    return Bucket("key", "key:1", capacity)


async def remaining(buckets: RedisBuckets, capacity: int = CAPACITY) -> int:
    return (await buckets.take([bucket(capacity)]))[0].remaining


def stored_bucket(redis: RedisServer) -> tuple[float, int]:
    """Return the tokens in the bucket, and the time at which they were counted (microseconds, by Redis' clock)."""
    with redis.client() as client:
        value = client.get(KEY)
    assert isinstance(value, bytes)
    tokens, counted = value.split()
    return float(tokens), int(counted)


PROCESSES, TIMES = 4, 2000


@pytest.mark.process
@pytest.mark.parametrize("kind", ["exact", "leased"])
@pytest.mark.parametrize("capacity", [100, 601, 3000])
async def test_bucket_is_exact_across_four_processes(
    capacity: int, kind: str, buckets: RedisBuckets, redis: RedisServer
) -> None:
    """Allowed requests, refill and remaining tokens add up exactly across four processes. On a busy machine, a lease that arrives
    late is not spent; the sum may then be lower, but never higher."""
    command = [sys.executable, "-m", "tests.ratelimit.hammer", redis.url, "key:1", str(capacity), str(TIMES), kind]
    with ExitStack() as stack:
        started = [stack.enter_context(_process(command)) for _ in range(PROCESSES)]
        for process in started:
            assert _output(process).readline() == "ready\n"
        for _ in range(capacity // 10):  # so that the bucket is not full again before the processes begin
            await buckets.take([bucket(capacity)])
        first, first_counted = stored_bucket(redis)
        for process in started:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        granted = sum([int(_output(process).read()) for process in started])
    last, last_counted = stored_bucket(redis)
    refilled = (last_counted - first_counted) * capacity / 60_000_000
    assert granted < PROCESSES * TIMES, "the bucket was never empty: the test proves nothing"
    spent, allowed = granted + last, first + refilled
    assert spent <= allowed + 1e-6
    assert spent >= allowed * (0.5 if kind == "leased" else 1) - 1e-6


def _process(command: list[str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _output(process: "subprocess.Popen[str]") -> IO[str]:
    assert process.stdout is not None
    return process.stdout


async def test_two_processes_share_one_bucket(buckets: RedisBuckets, connection: RedisConnection) -> None:
    neighbour = RedisBuckets(connection, MemoryBuckets(FakeClock()))
    assert [await remaining(buckets), await remaining(neighbour), await remaining(buckets)] == [5, 4, 3]
    await neighbour.give_back([bucket(CAPACITY)])
    assert await remaining(buckets) == 3


VISITORS = [f"198.51.100.{number}" for number in range(4)]


def of_a_visitor(visitor: str) -> list[Bucket]:
    """Return the buckets from which this visitor's request with a page key takes tokens."""
    return [Bucket("key", "{key:1}", 300), Bucket("visitor", f"{{key:1}}:visitor:{visitor}", 100)]


def stored(redis: RedisServer, bucket: Bucket) -> tuple[float, int]:
    with redis.client() as client:
        value = client.get(f"bundlesvc:bucket:{bucket.name}")
    assert isinstance(value, bytes)
    tokens, counted = value.split()
    return float(tokens), int(counted)


async def test_both_buckets_are_exact_across_processes(
    buckets: RedisBuckets, connection: RedisConnection, redis: RedisServer
) -> None:
    """With four concurrent visitors and two processes, the number of allowed requests equals the number of tokens taken, for the
    key and for each visitor."""
    neighbour = RedisBuckets(connection, MemoryBuckets(FakeClock()))
    began = int((await connection.client.time())[0] * 1_000_000)  # every bucket is full at this time

    async def passed(process: RedisBuckets, visitor: str) -> bool:
        return all(state.allowed for state in await process.take(of_a_visitor(visitor)))

    tries = [(process, visitor) for _ in range(80) for process in (buckets, neighbour) for visitor in VISITORS]
    results = await asyncio.gather(*(passed(process, visitor) for process, visitor in tries))

    granted = {each: sum(ok for ok, (_, at) in zip(results, tries, strict=True) if at == each) for each in VISITORS}
    left, counted = stored(redis, of_a_visitor("")[0])
    refilled = (counted - began) * 300 / 60_000_000
    assert 300 - left <= sum(granted.values()) <= 300 - left + refilled + 2
    assert sum(granted.values()) < len(tries), "no bucket was ever empty: the test proves nothing"
    for visitor, number in granted.items():
        tokens, counted = stored(redis, of_a_visitor(visitor)[1])
        assert 100 - tokens <= number <= 100 - tokens + (counted - began) * 100 / 60_000_000 + 2


async def test_both_buckets_are_taken_in_one_round_trip(buckets: RedisBuckets, redis: RedisServer) -> None:
    await buckets.take(of_a_visitor(VISITORS[0]))  # loads the script into Redis

    def calls() -> int:
        with redis.client() as client:
            return int(client.info("commandstats")["cmdstat_evalsha"]["calls"])

    before = calls()
    await buckets.take(of_a_visitor(VISITORS[0]))
    assert calls() == before + 1


def test_both_buckets_are_in_one_cluster_slot() -> None:
    key, visitor = (f"bundlesvc:bucket:{bucket.name}".encode() for bucket in of_a_visitor(VISITORS[0]))
    assert key_slot(key) == key_slot(visitor) != key_slot(b"bundlesvc:bucket:{key:2}")


async def test_request_refused_by_the_key_writes_nothing_for_its_visitor(
    buckets: RedisBuckets, redis: RedisServer
) -> None:
    key = Bucket("key", "{key:1}", 1)
    await buckets.take([key])
    for visitor in VISITORS:
        states = await buckets.take([key, of_a_visitor(visitor)[1]])
        assert [state.allowed for state in states] == [False, True]
    with redis.client() as client:
        assert client.keys("*visitor*") == []


async def test_hourly_bucket_expires_after_an_hour(buckets: RedisBuckets, redis: RedisServer) -> None:
    await buckets.take([Bucket("ghost_variants", "{key:1}:ghost_variants:x", 30, HOUR)])
    with redis.client() as client:
        assert 3_590_000 < int(client.pttl("bundlesvc:bucket:{key:1}:ghost_variants:x")) <= 3_600_000


async def test_bucket_expires_when_it_is_full_again(buckets: RedisBuckets, redis: RedisServer) -> None:
    for capacity in (1, 100):
        await buckets.take([bucket(capacity)])
        with redis.client() as client:
            assert 59_000 < int(client.pttl(KEY)) <= 60_000


async def test_refused_request_writes_nothing(buckets: RedisBuckets, redis: RedisServer) -> None:
    assert (await buckets.take([bucket(1)]))[0].allowed
    before = stored_bucket(redis)
    assert not (await buckets.take([bucket(1)]))[0].allowed
    assert stored_bucket(redis) == before


CORRUPT = [
    b"",
    b"corrupt",
    b"\xff\x00\xfe",
    b"nan 1",
    b"-5 1",
    b"1e999 1",
    b"5",
    b"5 5 5",
    b"5 -7",
    b"1e3e3 99999999999999999999",
    b"9" * 100_000,
]


@pytest.mark.parametrize("corrupt", CORRUPT, ids=[str(value[:8]) for value in CORRUPT])
async def test_corrupt_bucket_counts_as_missing(
    corrupt: bytes, buckets: RedisBuckets, redis: RedisServer, connection: RedisConnection
) -> None:
    with redis.client() as client:
        client.set(KEY, corrupt)
    assert await remaining(buckets) == 5
    assert await remaining(buckets) == 4
    assert connection.up


async def test_value_of_another_redis_type_counts_as_missing(
    buckets: RedisBuckets, redis: RedisServer, connection: RedisConnection
) -> None:
    for fill in ("lpush", "sadd"):
        with redis.client() as client:
            client.delete(KEY)
            getattr(client, fill)(KEY, "corrupt")
        assert await remaining(buckets) == 5
    assert connection.up


async def test_bucket_counted_in_the_future_is_not_refilled(buckets: RedisBuckets, redis: RedisServer) -> None:
    """After Redis' clock has been set back, a bucket keeps its tokens, and is refilled from the current time on."""
    with redis.client() as client:
        client.set(KEY, f"5 {2**53}")
    assert await remaining(buckets) == 4
    assert stored_bucket(redis)[1] < 2**53


async def test_flushed_redis_starts_with_full_buckets(
    buckets: RedisBuckets, redis: RedisServer, connection: RedisConnection
) -> None:
    assert await remaining(buckets) == 5
    with redis.client() as client:
        client.flushall()
        client.script_flush()
    assert await remaining(buckets) == 5
    assert connection.failures == 0


async def test_process_counts_for_itself_while_redis_is_down(
    buckets: RedisBuckets, redis: RedisServer, connection: RedisConnection
) -> None:
    for left in (5, 4, 3):
        assert await remaining(buckets) == left
    redis.kill()
    assert [await remaining(buckets) for _ in range(3)] == [5, 4, 3]  # from the process's own bucket
    await buckets.give_back([bucket(CAPACITY)])
    assert await remaining(buckets) == 3
    redis.start()
    await until_up(connection)
    assert [await remaining(buckets) for _ in range(2)] == [5, 4]  # from a new bucket


async def test_process_counts_for_itself_while_redis_hangs(
    buckets: RedisBuckets, redis: RedisServer, connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await remaining(buckets, 9) == 8
    monkeypatch.setattr(redis_connection, "TIMEOUT", TIMEOUT)
    redis.pause()
    try:
        async with asyncio.timeout(TEST_TIMEOUT):
            assert [await remaining(buckets, 9) for _ in range(4)] == [8, 7, 6, 5]
        assert connection.failures == 1
    finally:
        redis.resume()
    await until_up(connection)
    assert await remaining(buckets, 9) in {6, 7}  # Redis may have run the command that timed out


async def test_process_counts_for_itself_while_redis_is_full(
    buckets: RedisBuckets, redis: RedisServer, connection: RedisConnection
) -> None:
    redis.fill()
    assert [await remaining(buckets) for _ in range(3)] == [5, 4, 3]
    redis.make_room()
    await until_up(connection)
    assert await remaining(buckets) == 5


async def test_outage_of_redis_grants_one_more_bucket_at_most(
    buckets: RedisBuckets, redis: RedisServer, connection: RedisConnection
) -> None:
    """During an outage of Redis, a caller gets at most twice the capacity of a bucket: once from Redis, and once from the
    process."""
    redis.kill()
    granted = sum([(await buckets.take([bucket(5)]))[0].allowed for _ in range(50)])
    redis.start()
    await until_up(connection)
    granted += sum([(await buckets.take([bucket(5)]))[0].allowed for _ in range(50)])
    assert granted == 10


async def test_busy_key_needs_few_commands(
    buckets: RedisBuckets, connection: RedisConnection, redis: RedisServer
) -> None:
    """A busy key needs at most two commands per hundred requests, and as many requests are allowed as without leases."""
    own, busy = MemoryBuckets(SystemClock()), Bucket("key", "{key:1}", 10_000_000)
    leased = LeasedBuckets(buckets, own, SystemClock())

    def commands() -> int:
        with redis.client() as client:
            return int(client.info("commandstats").get("cmdstat_evalsha", {"calls": 0})["calls"])

    async def send(number: int) -> None:
        for _ in range(number):
            assert (await leased.take([busy]))[0].allowed

    await asyncio.gather(*(send(100) for _ in range(10)))
    before = commands()
    await asyncio.gather(*(send(1000) for _ in range(10)))
    assert commands() - before < 200
    await leased.aclose()
