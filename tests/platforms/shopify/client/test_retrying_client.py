"""The client that sends documents to one shop: what it retries, when, and for how long."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.metrics.merging import MergedMetrics
from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.platforms.calls.call_errors import InDoubt, Transient
from bundlesvc.platforms.calls.circuit_breaker import COOL_DOWN, STATES
from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.calls.documents import Document
from bundlesvc.platforms.calls.http import Reply
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics, ClientState, ClientStates
from bundlesvc.platforms.shopify.client.call_errors import TooCostly
from bundlesvc.platforms.shopify.client.notices import QUIET_SECONDS
from bundlesvc.platforms.shopify.client.retrying_client import RetryingClient
from bundlesvc.platforms.shopify.client.transport import API_VERSION
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
from tests.scrape import Samples, samples

QUERY = Document("Shop", "query Shop { shop { id } }", changes=False)
MUTATION = Document("Make", "mutation Make { make { id } }", changes=True)
GOOD = data({"shop": {"id": 1}})
SENT, NOT_SENT = Transient(PlatformTimeout()), Transient(PlatformUnavailable(), sent=False)


class ScriptedClient:
    """A client with a scripted transport. Each `run` has a deadline of ten seconds."""

    def __init__(self, clock: FakeClock, sleep: FakeSleep, *script: Step) -> None:
        self.transport = ScriptedTransport(*script)
        self.statistics = CallStatistics()
        self.client = RetryingClient(
            CONNECTION, self.transport, RetryPolicy(clock, sleep, lambda: 1.0), self.statistics
        )
        self._clock = clock

    async def run(self, document: Document = QUERY, **variables: Any) -> Mapping[str, Any]:
        return await self.client.run(CONNECTION, document, variables, Deadline(self._clock, 10))


async def test_request_body(clock: FakeClock, sleep: FakeSleep) -> None:
    scripted = ScriptedClient(clock, sleep, GOOD)
    assert await scripted.run(ids=["gid://shopify/Product/1"]) == {"shop": {"id": 1}}
    assert scripted.transport.requests == [
        {"query": QUERY.text, "variables": {"ids": ["gid://shopify/Product/1"]}, "operationName": "Shop"}
    ]
    assert scripted.transport.seconds == [10]


@pytest.mark.parametrize("fault", [SENT, NOT_SENT, reply(b"", 503), reply(b"{"), refusal("INTERNAL_SERVER_ERROR")])
async def test_query_is_retried_after_a_transient_fault(clock: FakeClock, sleep: FakeSleep, fault: Step) -> None:
    scripted = ScriptedClient(clock, sleep, fault, fault, GOOD)
    assert await scripted.run() == {"shop": {"id": 1}}
    assert sleep.waits == [0.25, 0.5]
    assert scripted.transport.seconds == [10, 9.75, 9.25]


async def test_query_fails_after_three_retries(clock: FakeClock, sleep: FakeSleep) -> None:
    scripted = ScriptedClient(clock, sleep, SENT, NOT_SENT, reply(b"", 503), reply(b"", 500), GOOD)
    with pytest.raises(PlatformFailed):
        await scripted.run()
    assert sleep.waits == [0.25, 0.5, 1.0]
    assert scripted.transport.script == [GOOD]


async def test_retry_after_lengthens_the_wait(clock: FakeClock, sleep: FakeSleep) -> None:
    scripted = ScriptedClient(clock, sleep, reply(b"", 503, Retry_After="3"), GOOD)
    await scripted.run()
    assert sleep.waits == [3.0]


async def test_back_off_is_random(clock: FakeClock, sleep: FakeSleep) -> None:
    transport, chance = ScriptedTransport(SENT, SENT, GOOD), iter([0.2, 0.9]).__next__
    client = RetryingClient(CONNECTION, transport, RetryPolicy(clock, sleep, chance), CallStatistics())
    await client.run(CONNECTION, QUERY, {}, Deadline(clock, 10))
    assert sleep.waits == pytest.approx([0.05, 0.45])


async def test_no_retry_after_the_deadline(clock: FakeClock, sleep: FakeSleep) -> None:
    scripted = ScriptedClient(clock, sleep, reply(b"", 503, Retry_After="30"), GOOD)
    with pytest.raises(PlatformUnavailable):
        await scripted.run()
    assert sleep.waits == []


async def test_nothing_is_sent_after_the_deadline(clock: FakeClock, sleep: FakeSleep) -> None:
    scripted = ScriptedClient(clock, sleep, GOOD)
    with pytest.raises(PlatformTimeout):
        await scripted.client.run(CONNECTION, QUERY, {}, Deadline(clock, 0))
    assert scripted.transport.requests == []


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
async def test_calls_pause_after_a_refusal_then_one_is_tried(
    clock: FakeClock, sleep: FakeSleep, status: int, raised: type[Unavailable], seconds: int
) -> None:
    """A refused call is not retried. Until the pause ends, other calls fail with a `retry_after` and are not sent; then a single
    call is tried."""
    no = reply({"errors": "No."}, status)
    scripted = ScriptedClient(clock, sleep, no, no, GOOD)
    for sent in (1, 2):
        with pytest.raises(raised) as first:
            await scripted.run()
        clock.move(seconds - 1.5)
        for _ in range(100):
            with pytest.raises(raised) as later:
                await scripted.run()
        assert (str(later.value), later.value.retry_after) == (str(first.value), 2)
        assert len(scripted.transport.requests) == sent
        clock.move(1.5)
    assert await scripted.run() == {"shop": {"id": 1}}


@REFUSALS
async def test_a_new_connection_ends_the_pause_at_once(
    clock: FakeClock, sleep: FakeSleep, status: int, raised: type[Unavailable], seconds: int
) -> None:
    scripted = ScriptedClient(clock, sleep, reply({"errors": "No."}, status), GOOD)
    with pytest.raises(raised):
        await scripted.run()
    scripted.client.connected(CONNECTION)
    with pytest.raises(raised):
        await scripted.run()
    scripted.client.connected(PlatformConnection(DOMAIN, "another token"))
    assert await scripted.run() == {"shop": {"id": 1}}


async def test_a_call_on_an_old_connection_does_not_affect_the_new_one(clock: FakeClock, sleep: FakeSleep) -> None:
    def refused_late() -> Reply:
        scripted.client.connected(PlatformConnection(DOMAIN, "another token"))
        return reply({"errors": "No."}, 401)

    scripted = ScriptedClient(clock, sleep, refused_late, GOOD)
    with pytest.raises(PlatformNotConnected):
        await scripted.run()
    assert await scripted.run() == {"shop": {"id": 1}}


@pytest.mark.parametrize("status", [200, 429])
async def test_throttled_call_waits_for_its_points(clock: FakeClock, sleep: FakeSleep, status: int) -> None:
    throttled = reply(
        {
            "errors": [{"message": "Throttled", "extensions": {"code": "THROTTLED"}}],
            "extensions": {"cost": cost(500, 100, restore_rate=100)},
        },
        status,
    )
    scripted = ScriptedClient(clock, sleep, throttled, GOOD)
    await scripted.run()
    assert sum(sleep.waits) == 6.0  # 500 points plus a reserve of 200, less the 100 that are available


async def test_throttling_is_not_a_failure(clock: FakeClock, sleep: FakeSleep) -> None:
    scripted = ScriptedClient(clock, sleep, *[refusal("THROTTLED")] * 8, GOOD)
    assert await scripted.run() == {"shop": {"id": 1}}
    assert sleep.waits == [1.0] * 8


async def test_throttling_until_the_deadline_has_retry_after(clock: FakeClock, sleep: FakeSleep) -> None:
    scripted = ScriptedClient(clock, sleep, reply(b"", 429, Retry_After="7"), reply(b"", 429, Retry_After="7"))
    with pytest.raises(PlatformUnavailable) as refused:
        await scripted.run()
    assert refused.value.retry_after == 7
    assert sleep.waits == [7.0]


async def test_throttling_is_logged_once_and_counted_each_time(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    """A shop that is short of query-cost points is throttled intermittently. Throttling is considered over when no call has been
    throttled for a minute."""
    caplog.set_level(logging.INFO)
    throttled = refusal("THROTTLED")
    scripted = ScriptedClient(clock, sleep, throttled, throttled, GOOD, throttled, GOOD, GOOD, GOOD)
    await scripted.run()
    await scripted.run()
    begins = f"{DOMAIN}: the platform throttles: calls wait for query-cost points"
    assert caplog.messages == [begins]
    clock.move(QUIET_SECONDS - 2)  # the call after the last throttled one waited for a second
    await scripted.run()
    assert caplog.messages == [begins]
    clock.move(1)
    await scripted.run()
    assert caplog.messages == [begins, f"{DOMAIN}: the platform no longer throttles."]
    assert throttled_total(scripted) == 3


async def test_calls_not_sent_for_lack_of_points_are_logged_too(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    scripted = ScriptedClient(clock, sleep, data({}, cost(900, 0, maximum=1000, restore_rate=50)))
    await scripted.run()
    for _ in range(2):
        with pytest.raises(PlatformUnavailable) as refused:
            await scripted.run()
    assert refused.value.retry_after == 20
    assert caplog.messages == [f"{DOMAIN}: the platform throttles: calls wait for query-cost points"]
    assert throttled_total(scripted) == 2


async def test_hanging_platform_is_not_reported_as_throttling(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    """Calls that wait behind hanging calls fail because the platform does not respond, not because the shop is short of
    query-cost points."""
    scripted, never = ScriptedClient(clock, sleep), asyncio.Event()

    class Hanging(ScriptedTransport):
        async def post(self, connection: PlatformConnection, body: bytes, seconds: float) -> Reply:
            await never.wait()
            raise AssertionError

    client = RetryingClient(CONNECTION, Hanging(), RetryPolicy(clock, sleep), scripted.statistics)

    async def run() -> None:
        await client.run(CONNECTION, QUERY, {}, Deadline(clock, 0.05))

    calls = [asyncio.create_task(run()) for _ in range(12)]
    done, hanging = await asyncio.wait(calls, timeout=0.1)
    assert (len(done), len(hanging)) == (3, 9)
    assert {type(call.exception()) for call in done} == {PlatformUnavailable}
    assert throttled_total(scripted) == 0
    assert caplog.messages == []
    for call in hanging:
        call.cancel()
    await asyncio.wait(hanging)


@pytest.mark.parametrize(("seconds", "pauses"), [(4.9, False), (5, True), (10, True)])
async def test_calls_pause_after_one_that_hangs(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture, seconds: float, pauses: bool
) -> None:
    """Calls pause after one call has hung, so that the next clients do not wait as long as the first."""

    def hang() -> Reply:
        clock.move(seconds)
        raise Transient(PlatformTimeout())

    scripted = ScriptedClient(clock, sleep, hang, GOOD)
    if pauses:
        with pytest.raises(PlatformTimeout):
            await scripted.run()
        with pytest.raises(PlatformUnavailable):
            await scripted.run()
    else:  # the call is retried
        await scripted.run()
    assert ["calls paused" in message for message in caplog.messages] == [True] * pauses
    assert len(scripted.transport.requests) == 2 - pauses


def throttled_total(scripted: ScriptedClient) -> float:
    return counted(scripted)["bundlesvc_platform_throttled_total"]


def counted(scripted: ScriptedClient) -> Samples:
    """Return the metrics of the client's calls."""
    registry = CollectorRegistry()
    registry.register(scripted.statistics)
    return samples(generate_latest(registry).decode())


@pytest.mark.parametrize("fault", [NOT_SENT, refusal("THROTTLED"), reply(b"", 429)])
async def test_change_that_was_not_made_is_retried(clock: FakeClock, sleep: FakeSleep, fault: Step) -> None:
    scripted = ScriptedClient(clock, sleep, fault, GOOD)
    await scripted.run(MUTATION)
    assert len(scripted.transport.requests) == 2


@pytest.mark.parametrize("fault", [SENT, reply(b"", 502), reply(b"{"), refusal("INTERNAL_SERVER_ERROR")])
async def test_change_that_may_have_been_made_is_not_retried(clock: FakeClock, sleep: FakeSleep, fault: Step) -> None:
    scripted = ScriptedClient(clock, sleep, fault, GOOD)
    with pytest.raises(InDoubt) as doubt:
        await scripted.run(MUTATION)
    assert isinstance(doubt.value.error, Unavailable)
    assert scripted.transport.script == [GOOD]


async def test_too_costly_document_raises(clock: FakeClock, sleep: FakeSleep) -> None:
    with pytest.raises(TooCostly):
        await ScriptedClient(clock, sleep, refusal("MAX_COST_EXCEEDED")).run()


async def test_calls_pause_after_failures_then_one_is_tried(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    scripted = ScriptedClient(clock, sleep, *[NOT_SENT] * 5, NOT_SENT, GOOD, GOOD)
    for _ in range(3):
        with pytest.raises(PlatformUnavailable):
            await scripted.run()
    assert len(scripted.transport.requests) == 5
    clock.move(COOL_DOWN)
    with pytest.raises(PlatformUnavailable):
        await scripted.run()
    assert len(scripted.transport.requests) == 6
    clock.move(COOL_DOWN)
    await scripted.run()
    await scripted.run()
    assert caplog.messages == [
        f"{DOMAIN}: the platform fails: calls paused for 5 s (The commerce platform cannot be reached at the moment.)",
        f"{DOMAIN}: the platform responds again.",
    ]


async def test_other_api_version_is_logged_once(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    other = reply({"data": {}}, X_Shopify_API_Version="2026-10", X_Shopify_API_Deprecated_Reason="https://gone.example")
    scripted = ScriptedClient(clock, sleep, other, other, reply({"data": {}}, X_Shopify_API_Version=API_VERSION))
    for _ in range(3):
        await scripted.run()
    assert caplog.messages == [
        f"{DOMAIN}: the platform responds with API version 2026-10 instead of {API_VERSION}: update bundlesvc",
        f"{DOMAIN}: the platform marks something that we use as deprecated: https://gone.example",
    ]


async def test_token_is_in_no_log_line_and_no_error(
    clock: FakeClock, sleep: FakeSleep, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    scripted = ScriptedClient(clock, sleep, reply({"errors": "bad"}, 401), refusal("ACCESS_DENIED"), *[NOT_SENT] * 5)
    for _ in range(3):
        with pytest.raises(Unavailable) as refused:
            await scripted.run()
        clock.move(COOL_DOWN)
        assert TOKEN not in repr(refused.value)
    assert TOKEN not in caplog.text
    assert TOKEN not in repr(CONNECTION)


async def test_calls_are_counted_with_their_outcome_and_cost(clock: FakeClock, sleep: FakeSleep) -> None:
    paid = data({"shop": {"id": 1}}, cost(12, 1500))
    scripted = ScriptedClient(clock, sleep, SENT, refusal("THROTTLED", points=cost(12, 5)), paid, reply({}, 402))
    await scripted.run()
    with pytest.raises(PlatformUnavailable):
        await scripted.run()
    found, name = counted(scripted), "bundlesvc_platform_calls_total"
    assert {key: value for key, value in found.items() if key.startswith(name)} == {
        f'{name}{{operation="Shop",outcome="failed"}}': 1,
        f'{name}{{operation="Shop",outcome="throttled"}}': 1,
        f'{name}{{operation="Shop",outcome="ok"}}': 1,
        f'{name}{{operation="Shop",outcome="refused"}}': 1,
    }
    assert found['bundlesvc_platform_call_duration_seconds_count{operation="Shop"}'] == 4
    assert found['bundlesvc_platform_points_total{operation="Shop"}'] == 24


async def test_state_of_a_client(clock: FakeClock, sleep: FakeSleep) -> None:
    scripted = ScriptedClient(clock, sleep, data({}, cost(100, 500)), reply({}, 402))
    await scripted.run()
    assert scripted.client.state("demo") == ("demo", 0.25, "closed")
    clock.move(5)
    with pytest.raises(PlatformUnavailable):
        await scripted.run()
    assert scripted.client.state("demo") == ("demo", 0.5, "open")
    clock.move(60)
    assert scripted.client.state("demo") == ("demo", 1.0, "half_open")


@pytest.mark.parametrize("enabled", [True, False])
def test_shops_have_gauges_of_their_own_or_share_them(enabled: bool) -> None:
    states = [ClientState("one", 0.5, "closed"), ClientState("two", 0.25, "open")]
    merged = MergedMetrics()
    merged.add(ClientStates(lambda: states, ShopLabels(enabled=enabled)).collect())
    found = samples(generate_latest(merged).decode())
    points, breakers = "bundlesvc_platform_points_left_ratio", "bundlesvc_platform_circuit_breakers"
    if enabled:
        assert (found[f'{points}{{shop="one"}}'], found[f'{points}{{shop="two"}}']) == (0.5, 0.25)
        assert found[f'{breakers}{{shop="two",state="open"}}'] == 1
    else:
        assert found[points] == 0.25
        assert [found[f'{breakers}{{state="{state}"}}'] for state in STATES] == [1, 1, 0]
