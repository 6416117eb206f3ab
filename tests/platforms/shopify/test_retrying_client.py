"""Sending a document to one shop: what is tried again, when, and for how long."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import pytest

from bundlesvc.domain.connection import Connection
from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.platforms.shopify.call_errors import Denied, InDoubt, TooCostly, Transient
from bundlesvc.platforms.shopify.circuit_breaker import COOL_DOWN
from bundlesvc.platforms.shopify.deadline import Deadline
from bundlesvc.platforms.shopify.documents import Document
from bundlesvc.platforms.shopify.retrying_client import RetryingClient
from bundlesvc.platforms.shopify.throttling import QUIET_SECONDS, ThrottlingStatistics
from bundlesvc.platforms.shopify.transport import API_VERSION, Reply
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import (
    CONNECTION,
    DOMAIN,
    TOKEN,
    FakeSleep,
    ScriptedTransport,
    Step,
    cost,
    data,
    refusal,
    reply,
)

QUERY = Document("Shop", "query Shop { shop { id } }", changes=False)
MUTATION = Document("Make", "mutation Make { make { id } }", changes=True)
GOOD = data({"shop": {"id": 1}})
SENT, NOT_SENT = Transient(PlatformTimeout()), Transient(PlatformUnavailable(), sent=False)


class Line:
    """A client with its script; each `run` has ten seconds."""

    def __init__(self, clock: FakeClock, sleep: FakeSleep, *script: Step) -> None:
        self.transport = ScriptedTransport(*script)
        self.statistics = ThrottlingStatistics()
        self.client = RetryingClient(DOMAIN, self.transport, clock, sleep, self.statistics, chance=lambda: 1.0)
        self._clock = clock

    async def run(self, document: Document = QUERY, **variables: Any) -> Mapping[str, Any]:
        return await self.client.run(CONNECTION, document, variables, Deadline(self._clock, 10))


async def test_what_is_sent(clock: FakeClock, sleep: FakeSleep) -> None:
    line = Line(clock, sleep, GOOD)
    assert await line.run(ids=["gid://shopify/Product/1"]) == {"shop": {"id": 1}}
    assert line.transport.asked == [
        {"query": QUERY.text, "variables": {"ids": ["gid://shopify/Product/1"]}, "operationName": "Shop"}
    ]
    assert line.transport.seconds == [10]


@pytest.mark.parametrize("fault", [SENT, NOT_SENT, reply(b"", 503), reply(b"{"), refusal("INTERNAL_SERVER_ERROR")])
async def test_a_query_is_sent_again_after_a_passing_fault(clock: FakeClock, sleep: FakeSleep, fault: Step) -> None:
    line = Line(clock, sleep, fault, fault, GOOD)
    assert await line.run() == {"shop": {"id": 1}}
    assert sleep.waits == [0.25, 0.5]
    assert line.transport.seconds == [10, 9.75, 9.25]


async def test_the_fourth_failure_is_the_answer(clock: FakeClock, sleep: FakeSleep) -> None:
    line = Line(clock, sleep, SENT, NOT_SENT, reply(b"", 503), reply(b"", 500), GOOD)
    with pytest.raises(PlatformFailed):
        await line.run()
    assert sleep.waits == [0.25, 0.5, 1.0]
    assert line.transport.script == [GOOD]


async def test_the_platform_may_ask_for_a_longer_wait(clock: FakeClock, sleep: FakeSleep) -> None:
    line = Line(clock, sleep, reply(b"", 503, Retry_After="3"), GOOD)
    await line.run()
    assert sleep.waits == [3.0]


async def test_backing_off_is_a_matter_of_chance(clock: FakeClock, sleep: FakeSleep) -> None:
    transport, chance = ScriptedTransport(SENT, SENT, GOOD), iter([0.2, 0.9]).__next__
    client = RetryingClient(DOMAIN, transport, clock, sleep, ThrottlingStatistics(), chance)
    await client.run(CONNECTION, QUERY, {}, Deadline(clock, 10))
    assert sleep.waits == pytest.approx([0.05, 0.45])


async def test_no_retry_that_would_come_too_late(clock: FakeClock, sleep: FakeSleep) -> None:
    line = Line(clock, sleep, reply(b"", 503, Retry_After="30"), GOOD)
    with pytest.raises(PlatformUnavailable):
        await line.run()
    assert sleep.waits == []


async def test_nothing_is_sent_when_time_is_up(clock: FakeClock, sleep: FakeSleep) -> None:
    line = Line(clock, sleep, GOOD)
    with pytest.raises(PlatformTimeout):
        await line.client.run(CONNECTION, QUERY, {}, Deadline(clock, 0))
    assert line.transport.asked == []


REFUSALS = pytest.mark.parametrize(
    ("status", "raised", "seconds"),
    [
        (401, PlatformNotConnected, 5),
        (402, PlatformUnavailable, 60),
        (403, PlatformFailed, 5),
        (404, PlatformFailed, 5),
        (423, PlatformUnavailable, 60),
        (430, PlatformUnavailable, 60),
    ],
)


@REFUSALS
async def test_a_shop_that_refuses_us_is_left_alone_then_probed(
    clock: FakeClock, sleep: FakeSleep, status: int, raised: type[Unavailable], seconds: int
) -> None:
    """The refused call is never sent again; others are not even sent, and are told for how long."""
    no = reply({"errors": "No."}, status)
    line = Line(clock, sleep, no, no, GOOD)
    for asked in (1, 2):
        with pytest.raises(raised) as first:
            await line.run()
        clock.move(seconds - 1.5)
        for _ in range(100):
            with pytest.raises(raised) as later:
                await line.run()
        assert (str(later.value), later.value.retry_after) == (str(first.value), 2)
        assert len(line.transport.asked) == asked
        clock.move(1.5)
    assert await line.run() == {"shop": {"id": 1}}


@REFUSALS
async def test_a_shop_that_is_connected_anew_is_asked_at_once(
    clock: FakeClock, sleep: FakeSleep, status: int, raised: type[Unavailable], seconds: int
) -> None:
    line = Line(clock, sleep, reply({"errors": "No."}, status), GOOD)
    line.client.connected(CONNECTION)
    with pytest.raises(raised):
        await line.run()
    line.client.connected(CONNECTION)
    with pytest.raises(raised):
        await line.run()
    line.client.connected(Connection(DOMAIN, "another token"))
    assert await line.run() == {"shop": {"id": 1}}


async def test_a_call_that_outlives_its_connection_says_nothing_of_the_next_one(
    clock: FakeClock, sleep: FakeSleep
) -> None:
    def refused_late() -> Reply:
        line.client.connected(Connection(DOMAIN, "another token"))
        return reply({"errors": "No."}, 401)

    line = Line(clock, sleep, refused_late, GOOD)
    line.client.connected(CONNECTION)
    with pytest.raises(PlatformNotConnected):
        await line.run()
    assert await line.run() == {"shop": {"id": 1}}


@pytest.mark.parametrize("status", [200, 429])
async def test_a_throttled_call_waits_as_long_as_its_points_take(
    clock: FakeClock, sleep: FakeSleep, status: int
) -> None:
    throttled = reply(
        {
            "errors": [{"message": "Throttled", "extensions": {"code": "THROTTLED"}}],
            "extensions": {"cost": cost(500, 100, restore_rate=100)},
        },
        status,
    )
    line = Line(clock, sleep, throttled, GOOD)
    await line.run()
    assert sum(sleep.waits) == 6.0  # 500 points and 200 in reserve, 100 of them there


async def test_throttling_is_no_failure(clock: FakeClock, sleep: FakeSleep) -> None:
    line = Line(clock, sleep, *[refusal("THROTTLED")] * 8, GOOD)
    assert await line.run() == {"shop": {"id": 1}}
    assert sleep.waits == [1.0] * 8


async def test_throttling_until_the_deadline_says_when_to_come_back(clock: FakeClock, sleep: FakeSleep) -> None:
    line = Line(clock, sleep, reply(b"", 429, Retry_After="7"), reply(b"", 429, Retry_After="7"))
    with pytest.raises(PlatformUnavailable) as refused:
        await line.run()
    assert refused.value.retry_after == 7
    assert sleep.waits == [7.0]


async def test_throttling_is_told_once_in_an_episode_and_counted_each_time(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    """A shop that is short of points goes back and forth: the episode is over when it has not throttled for a minute."""
    caplog.set_level(logging.INFO)
    throttled = refusal("THROTTLED")
    line = Line(clock, sleep, throttled, throttled, GOOD, throttled, GOOD, GOOD, GOOD)
    await line.run()
    await line.run()
    begins = f"{DOMAIN}: the platform throttles: calls wait for query-cost points"
    assert caplog.messages == [begins]
    clock.move(QUIET_SECONDS - 2)  # the call after the last throttled one waited for a second
    await line.run()
    assert caplog.messages == [begins]
    clock.move(1)
    await line.run()
    assert caplog.messages == [begins, f"{DOMAIN}: the platform no longer throttles."]
    assert throttled_total(line) == 3


async def test_calls_that_are_not_even_sent_for_want_of_points_are_told_too(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    line = Line(clock, sleep, data({}, cost(900, 0, maximum=1000, restore_rate=50)))
    await line.run()
    for _ in range(2):
        with pytest.raises(PlatformUnavailable) as refused:
            await line.run()
    assert refused.value.retry_after == 20
    assert caplog.messages == [f"{DOMAIN}: the platform throttles: calls wait for query-cost points"]
    assert throttled_total(line) == 2


async def test_a_platform_that_hangs_does_not_look_like_one_that_throttles(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    """Calls that wait behind those that hang are given up for want of an answer, not of points."""
    line, never = Line(clock, sleep), asyncio.Event()

    class Hanging(ScriptedTransport):
        async def post(self, connection: Connection, body: bytes, seconds: float) -> Reply:
            await never.wait()
            raise AssertionError

    client = RetryingClient(DOMAIN, Hanging(), clock, sleep, line.statistics)

    async def run() -> None:
        await client.run(CONNECTION, QUERY, {}, Deadline(clock, 0.05))

    calls = [asyncio.create_task(run()) for _ in range(12)]
    done, hanging = await asyncio.wait(calls, timeout=0.3)
    assert (len(done), len(hanging)) == (3, 9)
    assert {type(call.exception()) for call in done} == {PlatformUnavailable}
    assert throttled_total(line) == 0
    assert caplog.messages == []
    for call in hanging:
        call.cancel()
    await asyncio.wait(hanging)


def throttled_total(line: Line) -> float:
    [metric] = line.statistics.collect()
    [sample] = metric.samples
    assert sample.name == "bundlesvc_platform_throttled_total"
    return sample.value


@pytest.mark.parametrize("fault", [NOT_SENT, refusal("THROTTLED"), reply(b"", 429)])
async def test_a_change_that_cannot_have_been_made_is_sent_again(
    clock: FakeClock, sleep: FakeSleep, fault: Step
) -> None:
    line = Line(clock, sleep, fault, GOOD)
    await line.run(MUTATION)
    assert len(line.transport.asked) == 2


@pytest.mark.parametrize("fault", [SENT, reply(b"", 502), reply(b"{"), refusal("INTERNAL_SERVER_ERROR")])
async def test_a_change_that_may_have_been_made_is_not(clock: FakeClock, sleep: FakeSleep, fault: Step) -> None:
    line = Line(clock, sleep, fault, GOOD)
    with pytest.raises(InDoubt) as doubt:
        await line.run(MUTATION)
    assert isinstance(doubt.value.error, Unavailable)
    assert line.transport.script == [GOOD]


async def test_a_document_that_costs_too_much_is_left_to_its_caller(clock: FakeClock, sleep: FakeSleep) -> None:
    with pytest.raises(TooCostly):
        await Line(clock, sleep, refusal("MAX_COST_EXCEEDED")).run()


async def test_a_platform_that_is_down_is_left_alone_then_probed(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    line = Line(clock, sleep, *[NOT_SENT] * 5, NOT_SENT, GOOD, GOOD)
    for _ in range(3):
        with pytest.raises(PlatformUnavailable):
            await line.run()
    assert len(line.transport.asked) == 5
    clock.move(COOL_DOWN)
    with pytest.raises(PlatformUnavailable):
        await line.run()
    assert len(line.transport.asked) == 6
    clock.move(COOL_DOWN)
    await line.run()
    await line.run()
    assert caplog.messages == [
        f"{DOMAIN}: the platform fails: calls paused for 5 s (The commerce platform cannot be reached at the moment.)",
        f"{DOMAIN}: the platform answers again.",
    ]


async def test_another_api_version_than_ours_is_said_once(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    other = reply({"data": {}}, X_Shopify_API_Version="2026-10", X_Shopify_API_Deprecated_Reason="https://gone.example")
    line = Line(clock, sleep, other, other, reply({"data": {}}, X_Shopify_API_Version=API_VERSION))
    for _ in range(3):
        await line.run()
    assert caplog.messages == [
        f"{DOMAIN}: the platform responds with API version 2026-10 instead of {API_VERSION}: update bundlesvc",
        f"{DOMAIN}: the platform marks something that we use as deprecated: https://gone.example",
    ]


async def test_the_token_is_in_no_log_line_and_no_error(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    line = Line(clock, sleep, reply({"errors": "bad"}, 401), refusal("ACCESS_DENIED"), *[NOT_SENT] * 5)
    for _ in range(3):
        with pytest.raises((Unavailable, Denied)) as refused:
            await line.run()
        clock.move(COOL_DOWN)
        assert TOKEN not in repr(refused.value)
    assert TOKEN not in caplog.text
    assert TOKEN not in repr(CONNECTION)
