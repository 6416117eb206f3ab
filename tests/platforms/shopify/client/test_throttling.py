"""The query-cost bucket of one shop: when calls wait for points."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.shopify.client.call_errors import OutOfPoints
from bundlesvc.platforms.shopify.client.throttling import FIRST_GUESS, SHORTEST_PENALTY, CostBucket
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import FakeSleep, points

QUERY = "ProductsById"


@pytest.fixture
def bucket(clock: FakeClock, sleep: FakeSleep) -> CostBucket:
    return CostBucket(clock, sleep)


@pytest.fixture
def deadline(clock: FakeClock) -> Deadline:
    return Deadline(clock, 10)


async def spend(bucket: CostBucket, deadline: Deadline, document: str = QUERY) -> None:
    async with bucket.points(document, deadline):
        pass


async def test_calls_do_not_wait_before_the_first_response(
    bucket: CostBucket, deadline: Deadline, sleep: FakeSleep
) -> None:
    await spend(bucket, deadline)
    assert sleep.waits == []


@pytest.mark.parametrize(
    ("available", "waits"),
    [
        (500, []),
        (300, []),  # 100 for the call, 200 in reserve
        (299, [0.05]),
        (250, [0.5]),
        (0, [3.0]),
        (-100, [4.0]),
    ],
)
async def test_call_waits_for_its_points_and_the_reserve(
    bucket: CostBucket, deadline: Deadline, sleep: FakeSleep, available: float, waits: list[float]
) -> None:
    bucket.observe(QUERY, points(100, available))
    await spend(bucket, deadline)
    assert sleep.waits == waits


async def test_points_are_restored_over_time(
    bucket: CostBucket, deadline: Deadline, sleep: FakeSleep, clock: FakeClock
) -> None:
    bucket.observe(QUERY, points(100, 0))
    clock.move(3)
    await spend(bucket, deadline)
    assert sleep.waits == []


async def test_call_too_costly_for_the_reserve_waits_for_a_full_bucket(
    bucket: CostBucket, deadline: Deadline, sleep: FakeSleep
) -> None:
    bucket.observe(QUERY, points(990, 900, maximum=1000, restore_rate=50))
    await spend(bucket, deadline)
    assert sleep.waits == [2.0]


async def is_held_up(bucket: CostBucket, deadline: Deadline) -> bool:
    """Whether a second call has to wait while a first one is in progress. Also waits until both calls have ended."""
    async with bucket.points(QUERY, deadline):
        second = asyncio.create_task(spend(bucket, deadline))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        held_up = not second.done()
    await second
    return held_up


@pytest.mark.parametrize(
    ("available", "maximum", "held_up"),
    [(400, 2000, False), (399, 2000, True), (150, 150, True)],
)
async def test_calls_in_progress_count_until_they_end(
    bucket: CostBucket, deadline: Deadline, sleep: FakeSleep, available: float, maximum: float, held_up: bool
) -> None:
    bucket.observe(QUERY, points(100, available, maximum))
    assert await is_held_up(bucket, deadline) is held_up
    assert sleep.waits == []


async def test_burst_before_the_first_response_is_small(bucket: CostBucket, deadline: Deadline) -> None:
    """A few calls may start before the first response: more than one, but not hundreds, so that a hanging platform blocks only
    these few."""
    async with asyncio.TaskGroup() as calls:
        under_way: list[int] = []
        responded = asyncio.Event()

        async def call(number: int) -> None:
            async with bucket.points(QUERY, deadline):
                under_way.append(number)
                await responded.wait()

        for number in range(30):
            calls.create_task(call(number))
        for _ in range(50):
            await asyncio.sleep(0)
        assert under_way == list(range(9))
        responded.set()
    assert under_way == list(range(30))


async def test_call_too_costly_for_the_bucket_is_sent_alone(
    bucket: CostBucket, deadline: Deadline, sleep: FakeSleep
) -> None:
    bucket.observe(QUERY, points(2000, 1000, maximum=1000))
    await spend(bucket, deadline)
    assert sleep.waits == []


async def test_cost_of_a_new_document_is_guessed(bucket: CostBucket, deadline: Deadline, sleep: FakeSleep) -> None:
    bucket.observe(QUERY, points(2, 200))
    await spend(bucket, deadline, "Another")
    assert sleep.waits == [FIRST_GUESS / 100]


async def test_wait_beyond_the_deadline_fails_at_once(bucket: CostBucket, deadline: Deadline, sleep: FakeSleep) -> None:
    bucket.observe(QUERY, points(100, 0, restore_rate=20))
    with pytest.raises(OutOfPoints) as refused:
        await spend(bucket, deadline)
    assert refused.value.retry_after == 15
    assert sleep.waits == []


async def test_time_for_the_response_is_reserved(
    bucket: CostBucket, deadline: Deadline, clock: FakeClock, sleep: FakeSleep
) -> None:
    bucket.observe(QUERY, points(100, -500))
    await spend(bucket, deadline)
    bucket.observe(QUERY, points(100, 200))
    with pytest.raises(OutOfPoints):
        await spend(bucket, deadline)
    assert sleep.waits == [8.0]
    assert deadline.ends_at - clock.monotonic() == 2.0


async def test_failed_call_leaves_the_queue(bucket: CostBucket, clock: FakeClock, deadline: Deadline) -> None:
    bucket.observe(QUERY, points(100, 0, restore_rate=20))
    with pytest.raises(OutOfPoints):
        await spend(bucket, deadline)
    clock.move(60)
    await spend(bucket, Deadline(clock, 1))


async def test_all_calls_wait_after_a_throttled_one(bucket: CostBucket, deadline: Deadline, sleep: FakeSleep) -> None:
    bucket.observe(QUERY, points(400, 50))
    bucket.throttled(QUERY, retry_after=0)
    bucket.observe(QUERY, points(400, 600))
    await spend(bucket, deadline, "Another")
    assert sleep.waits == [3.5]


@pytest.mark.parametrize(("retry_after", "wait"), [(0.0, SHORTEST_PENALTY), (2.0, 2.0)])
async def test_throttled_call_without_figures_waits_for_retry_after(
    bucket: CostBucket, deadline: Deadline, sleep: FakeSleep, retry_after: float, wait: float
) -> None:
    bucket.throttled(QUERY, retry_after)
    await spend(bucket, deadline)
    assert sleep.waits == [wait]


async def test_first_come_first_served(clock: FakeClock) -> None:
    """A costly call at the head of the queue is not overtaken by cheaper calls that arrived later."""
    gate = asyncio.Event()

    async def until_the_gate_opens(seconds: float) -> None:
        await gate.wait()
        clock.move(seconds)

    bucket = CostBucket(clock, until_the_gate_opens)
    bucket.observe("Cheap", points(1, 250))
    bucket.observe("Costly", points(500, 250))
    served: list[str] = []

    async def call(document: str) -> None:
        async with bucket.points(document, Deadline(clock, 60)):
            served.append(document)

    async with asyncio.TaskGroup() as calls:
        for document in ("Costly", "Cheap", "Cheap"):
            calls.create_task(call(document))
        await asyncio.sleep(0)
        assert served == []
        gate.set()
    assert served == ["Costly", "Cheap", "Cheap"]


async def test_queue_is_left_at_the_deadline(clock: FakeClock) -> None:
    never = asyncio.Event()

    async def for_ever(_: float) -> None:
        await never.wait()

    bucket = CostBucket(clock, for_ever)
    bucket.observe(QUERY, points(100, 0))
    head = asyncio.create_task(spend(bucket, Deadline(clock, 10)))
    await asyncio.sleep(0)
    with pytest.raises(OutOfPoints):
        await spend(bucket, Deadline(clock, 0.02))
    head.cancel()


async def test_points_restored_at_the_deadline_serve_the_next_call(clock: FakeClock) -> None:
    never = asyncio.Event()

    async def oversleep(seconds: float) -> None:
        clock.move(seconds)
        await never.wait()

    bucket = CostBucket(clock, oversleep)
    bucket.observe(QUERY, points(100, 299.5))
    with pytest.raises(OutOfPoints) as refusal:
        await spend(bucket, Deadline(clock, 0.07))
    assert refusal.value.retry_after == 1


@pytest.mark.parametrize(
    "figures",
    [
        {},
        {"requestedQueryCost": None, "throttleStatus": None},
        {"requestedQueryCost": "many", "throttleStatus": {"maximumAvailable": 1000}},
        {"throttleStatus": {"maximumAvailable": 1000, "currentlyAvailable": 0, "restoreRate": 0}},
        {"throttleStatus": {"maximumAvailable": 0, "currentlyAvailable": 0, "restoreRate": 50}},
    ],
)
async def test_invalid_figures_are_ignored(
    bucket: CostBucket, deadline: Deadline, sleep: FakeSleep, figures: Mapping[str, Any]
) -> None:
    bucket.observe(QUERY, {"extensions": {"cost": figures}})
    await spend(bucket, deadline)
    assert sleep.waits == []
    assert bucket.left == 1


@pytest.mark.parametrize("extensions", [None, [], {}, {"cost": None}, {"cost": 7}])
async def test_missing_figures_are_ignored(
    bucket: CostBucket, deadline: Deadline, sleep: FakeSleep, extensions: object
) -> None:
    bucket.observe(QUERY, {"extensions": extensions})
    await spend(bucket, deadline)
    assert sleep.waits == []
