"""How calls to a shop fail: each failure raises its documented error, and the call is retried where that is allowed."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson
import pytest

from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from bundlesvc.platforms.calls.call_errors import Transient
from bundlesvc.platforms.calls.http import Reply
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics, ClientState
from bundlesvc.platforms.vendure.client import DENIED_SECONDS, PARALLEL_CALLS
from bundlesvc.platforms.vendure.platform import VendurePlatform
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import FakeConnections, FakeSleep

CONNECTION = PlatformConnection("shop.example", "key:secret")
TENANT = Tenant(
    1,
    1,
    Shop("demo", "Demo", "", "en", True, (), PlatformLink("vendure", "shop.example", "home"), (), None),
)
CHANNEL: Mapping[str, Any] = {
    "activeChannel": {
        "id": "1",
        "defaultCurrencyCode": "EUR",
        "defaultLanguageCode": "en",
        "availableLanguageCodes": ["en", "de"],
    },
    "globalSettings": {
        "trackInventory": True,
        "outOfStockThreshold": 0,
        "serverConfig": {"moneyStrategyPrecision": 2},
    },
}


def reply(body: Any, status: int = 200) -> Reply:
    return Reply(status, {}, body if isinstance(body, bytes) else orjson.dumps(body))


def refusal(code: str, status: int = 200, data: Mapping[str, Any] | None = None) -> Reply:
    return reply({"errors": [{"message": "No.", "extensions": {"code": code}}], "data": data}, status)


WELL = reply({"data": CHANNEL})


class ScriptedTransport:
    """A transport that replies or raises step by step, and repeats the last step forever."""

    def __init__(self, *script: Reply | Exception) -> None:
        self._script = list(script)
        self.channels: list[str | None] = []

    async def post(self, connection: PlatformConnection, channel: str | None, body: bytes, seconds: float) -> Reply:
        self.channels.append(channel)
        step = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        if isinstance(step, Exception):
            raise step
        return step


def platform_over(transport: ScriptedTransport, clock: FakeClock) -> VendurePlatform:
    connections = FakeConnections(CONNECTION)
    return VendurePlatform(
        transport, connections, RetryPolicy(clock, FakeSleep(clock), lambda: 0.5), 10, CallStatistics()
    )


@pytest.mark.parametrize(
    ("step", "error", "calls"),
    [
        (refusal("FORBIDDEN"), PlatformNotConnected, 1),
        (refusal("FORBIDDEN", data=CHANNEL), PlatformNotConnected, 1),
        (refusal("GRAPHQL_VALIDATION_FAILED", 400), PlatformFailed, 1),
        (refusal("CHANNEL_NOT_FOUND"), PlatformFailed, 1),
        (refusal("SOMETHING_NEW", data=CHANNEL), PlatformFailed, 1),
        (refusal("INTERNAL_SERVER_ERROR", data=CHANNEL), PlatformFailed, 4),
        (reply({"errors": "odd"}), PlatformFailed, 4),
        (reply({"errors": ["odd"]}), PlatformFailed, 4),
        (reply({"errors": [{"message": "database away"}], "data": CHANNEL}), PlatformFailed, 4),
        (reply({"data": None}), PlatformFailed, 4),
        (reply(b"<html>"), PlatformFailed, 4),
        (reply({"data": {}}), PlatformFailed, 1),
        (reply({"data": {**CHANNEL, "globalSettings": None}}), PlatformFailed, 1),
        (reply(b"", 302), PlatformFailed, 1),
        (reply(b"", 404), PlatformFailed, 1),
        (reply(b"", 429), PlatformUnavailable, 4),
        (reply(b"", 500), PlatformFailed, 4),
        (reply(b"", 502), PlatformUnavailable, 4),
        (reply(b"", 504), PlatformTimeout, 4),
        (Transient(PlatformUnavailable(), sent=False), PlatformUnavailable, 4),
    ],
)
async def test_failure_has_its_refusal(
    step: Reply | Exception, error: type[Unavailable], calls: int, clock: FakeClock
) -> None:
    transport = ScriptedTransport(step)
    with pytest.raises(error):
        await platform_over(transport, clock).shop(TENANT)
    assert transport.channels == ["home"] * calls


async def test_retry_succeeds(clock: FakeClock) -> None:
    platform = platform_over(ScriptedTransport(reply(b"", 502), refusal("INTERNAL_SERVER_ERROR"), WELL), clock)
    assert (await platform.shop(TENANT)).currency == "EUR"


async def test_calls_pause_after_repeated_failures(clock: FakeClock) -> None:
    transport = ScriptedTransport(reply(b"", 502))
    platform = platform_over(transport, clock)
    for _ in range(3):
        with pytest.raises(PlatformUnavailable):
            await platform.shop(TENANT)
    assert len(transport.channels) == 5


async def test_ids_must_be_whole_numbers(clock: FakeClock) -> None:
    channel = {**CHANNEL["activeChannel"], "id": "0b1c5f7e-7d0a-4d39-8f5e-1a2b3c4d5e6f"}
    platform = platform_over(ScriptedTransport(reply({"data": {**CHANNEL, "activeChannel": channel}})), clock)
    with pytest.raises(PlatformFailed):
        await platform.shop(TENANT)


async def test_reason_for_refusing_other_ids_is_logged(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    channel = {**CHANNEL["activeChannel"], "id": "T_1"}
    platform = platform_over(ScriptedTransport(reply({"data": {**CHANNEL, "activeChannel": channel}})), clock)
    with pytest.raises(PlatformFailed):
        await platform.shop(TENANT)
    assert "the id 'T_1' is not a whole number: this service needs the default EntityIdStrategy" in caplog.text


async def test_refused_key_is_not_tried_again_for_some_seconds(clock: FakeClock) -> None:
    transport = ScriptedTransport(refusal("FORBIDDEN"), refusal("FORBIDDEN"), WELL)
    platform = platform_over(transport, clock)
    for _ in range(3):
        with pytest.raises(PlatformNotConnected):
            await platform.shop(TENANT)
    assert len(transport.channels) == 1
    with pytest.raises(PlatformNotConnected):  # another channel may accept the key
        await platform.shop(
            replace(TENANT, shop=replace(TENANT.shop, platform=PlatformLink("vendure", "shop.example")))
        )
    assert transport.channels == ["home", None]
    clock.move(DENIED_SECONDS)
    assert (await platform.shop(TENANT)).currency == "EUR"


async def test_another_key_is_tried_at_once(clock: FakeClock) -> None:
    transport, connections = ScriptedTransport(refusal("FORBIDDEN"), WELL), FakeConnections(CONNECTION)
    platform = VendurePlatform(transport, connections, RetryPolicy(clock), 10, CallStatistics())
    assert not await platform.is_installed(TENANT)
    connections.connection = replace(CONNECTION, access_token="another:key")
    assert await platform.is_installed(TENANT)


async def test_two_hundred_products_take_four_calls(clock: FakeClock) -> None:
    none = reply({"data": {**CHANNEL, "products": {"items": []}}})
    transport = ScriptedTransport(none)
    await platform_over(transport, clock).products(TENANT, range(1, 201))
    assert len(transport.channels) == 4


async def test_state_of_each_shop(clock: FakeClock) -> None:
    platform = platform_over(ScriptedTransport(WELL), clock)
    await platform.shop(TENANT)
    assert list(platform.client_states()) == [ClientState("demo", None, "closed")]


async def test_languages_are_those_of_the_channel(clock: FakeClock) -> None:
    assert await platform_over(ScriptedTransport(WELL), clock).languages(TENANT) == ("de",)


async def test_shop_without_credentials_is_not_connected(clock: FakeClock) -> None:
    transport = ScriptedTransport(WELL)
    platform = VendurePlatform(transport, FakeConnections(None), RetryPolicy(clock), 10, CallStatistics())
    with pytest.raises(PlatformNotConnected):
        await platform.shop(TENANT)
    assert transport.channels == []


async def test_only_a_few_calls_run_at_once(clock: FakeClock) -> None:
    class Counting(ScriptedTransport):
        running = most = 0

        async def post(self, connection: PlatformConnection, channel: str | None, body: bytes, seconds: float) -> Reply:
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(0)
            self.running -= 1
            return WELL

    transport = Counting(WELL)
    platform = platform_over(transport, clock)
    await asyncio.gather(*(platform.shop(TENANT) for _ in range(20)))
    assert transport.most == PARALLEL_CALLS
