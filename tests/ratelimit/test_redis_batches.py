"""Concurrent requests share a round trip to Redis, and each request gets the same result as it would get alone
(docs/contract.md#rate-limits)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from bundlesvc.domain.rate_limit import Bucket, BucketState
from bundlesvc.ratelimit.redis import MAX_BATCH, RedisBuckets, _Request
from bundlesvc.redis.connection import RedisConnection
from tests.running.garbage import left_to_collector
from tests.servers.redis_server import RedisServer

KEY = Bucket("key", "{key:1}", 10)
TEN_HOURS = 36_000.0
"""A refill period in seconds, so long that buckets are not refilled while a test runs."""


def slow(capacity: int, name: str = "{key:1}") -> Bucket:
    return Bucket("key", name, capacity, TEN_HOURS)


def scripts_run(redis: RedisServer) -> int:
    with redis.client() as client:
        return int(client.info("commandstats").get("cmdstat_evalsha", {"calls": 0})["calls"])


async def together(
    take: Callable[[Sequence[Bucket]], Awaitable[Sequence[BucketState]]], requests: Sequence[Sequence[Bucket]]
) -> list[Sequence[BucketState]]:
    return list(await asyncio.gather(*map(take, requests)))


async def test_requests_that_come_together_run_one_script(buckets: RedisBuckets, redis: RedisServer) -> None:
    await buckets.take([slow(100)])  # loads the script into Redis
    before = scripts_run(redis)
    states = await together(buckets.take, [[slow(100)]] * 50)
    assert scripts_run(redis) == before + 1
    assert [state.remaining for (state,) in states] == [*range(98, 48, -1)]


async def test_first_requests_of_a_batch_get_the_last_tokens(buckets: RedisBuckets) -> None:
    states = await together(buckets.take, [[slow(10)]] * 30)
    assert [state.allowed for (state,) in states] == [True] * 10 + [False] * 20


async def test_refused_request_of_a_batch_takes_nothing_from_its_other_bucket(buckets: RedisBuckets) -> None:
    first, second = slow(2, "{key:1}:visitor:a"), slow(100, "{key:1}:visitor:b")
    requests = [[slow(5), first]] * 4 + [[slow(5), second]] * 4
    states = await together(buckets.take, requests)
    assert [all(state.allowed for state in both) for both in states] == [
        True,
        True,
        False,
        False,
        True,
        True,
        True,
        False,
    ]
    assert [both[0].remaining for both in states] == [4, 3, 3, 3, 2, 1, 0, 0]


async def test_tokens_that_a_batch_gives_back_are_taken_by_its_next_request(buckets: RedisBuckets) -> None:
    (state,) = await buckets.take([slow(1)])
    assert state.allowed
    refused, _, (state,) = await asyncio.gather(
        buckets.take([slow(1)]), buckets.give_back([slow(1)]), buckets.take([slow(1)])
    )
    assert (refused[0].allowed, state.allowed) == (False, True)


async def test_requests_leave_nothing_to_the_garbage_collector(buckets: RedisBuckets, redis: RedisServer) -> None:
    await buckets.take([slow(100)])
    with left_to_collector(_Request, asyncio.Timeout) as found:
        await together(buckets.take, [[slow(100)]] * 5)
        redis.kill()
        await together(buckets.take, [[slow(100)]] * 5)
        await asyncio.sleep(0)  # lets the batch's task finish
    assert found == {}


async def test_buckets_of_different_keys_are_in_different_scripts(buckets: RedisBuckets, redis: RedisServer) -> None:
    """Buckets of different keys are handled by separate runs of the script, because a Redis Cluster stores them on different
    servers."""
    await buckets.take([slow(100)])
    before = scripts_run(redis)
    states = await together(buckets.take, [[slow(100, f"{{key:{number % 3}}}")] for number in range(30)])
    assert scripts_run(redis) == before + 3
    assert [state.remaining for (state,) in states[3:6]] == [98, 97, 98]  # key 1 had been used once


async def test_batch_has_a_limit(buckets: RedisBuckets, redis: RedisServer) -> None:
    await buckets.take([slow(1000)])
    before = scripts_run(redis)
    states = await together(buckets.take, [[slow(1000)]] * (2 * MAX_BATCH + 1))
    assert scripts_run(redis) == before + 3
    assert sorted(state.remaining for (state,) in states) == [*range(1000 - 2 * MAX_BATCH - 2, 999)]


async def test_forgotten_script_is_loaded_and_takes_each_token_once(
    buckets: RedisBuckets, redis: RedisServer, connection: RedisConnection
) -> None:
    await buckets.take([slow(100)])
    with redis.client() as client:
        client.script_flush()
    states = await together(buckets.take, [[slow(100, f"{{key:{number % 2}}}")] for number in range(10)])
    assert [state.remaining for (state,) in states] == [99, 98, 98, 97, 97, 96, 96, 95, 95, 94]
    assert connection.failures == 0


async def test_caller_that_leaves_a_batch_does_not_disturb_the_others(buckets: RedisBuckets) -> None:
    tasks = [asyncio.create_task(buckets.take([slow(10)])) for _ in range(3)]
    await asyncio.sleep(0)  # now they wait for Redis
    tasks[1].cancel()
    first, left, last = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(left, asyncio.CancelledError)
    assert not isinstance(first, BaseException)
    assert not isinstance(last, BaseException)
    assert (first[0].remaining, last[0].remaining) == (9, 7)


@pytest.mark.parametrize("failure", ["kill", "pause", "fill"])
async def test_batch_counts_in_the_process_when_redis_fails(
    failure: str,
    buckets: RedisBuckets,
    redis: RedisServer,
    connection: RedisConnection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await buckets.take([KEY])
    if failure == "pause":
        monkeypatch.setattr("bundlesvc.redis.connection.TIMEOUT", 0.5)
    getattr(redis, failure)()
    try:
        states = await together(buckets.take, [[KEY]] * 15)
        assert [state.allowed for (state,) in states] == [True] * 10 + [False] * 5
        assert connection.failures >= 1
        assert not connection.up
    finally:
        if failure == "pause":
            redis.resume()
