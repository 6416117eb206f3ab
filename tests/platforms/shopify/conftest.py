"""Fixtures for the adapter with the stand-in platform, a fake clock, and a sleep that returns immediately."""

from collections.abc import AsyncIterator

import pytest

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.shopify.client import token_renewal
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.platforms.shopify.client.transport import HttpTransport, endpoint_at
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import DOMAIN, FakeConnections, FakeSleep
from tests.standin.fixtures import standin, standin_shop
from tests.standin.server import TOKEN, Standin

__all__ = ["standin", "standin_shop"]

TIMEOUT = 10.0


@pytest.fixture
def sleep(clock: FakeClock) -> FakeSleep:
    return FakeSleep(clock)


@pytest.fixture
def instant_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make polling instant, so that the fake clock stands still while a process waits for another process to fetch the token.
    Otherwise, fifty polls would advance the clock past the expiry of the other process's claim before the response arrives."""
    monkeypatch.setattr(token_renewal, "POLL", 0.0)


@pytest.fixture
def connections() -> FakeConnections:
    return FakeConnections(PlatformConnection(DOMAIN, TOKEN))


@pytest.fixture
async def transport(standin: Standin) -> AsyncIterator[HttpTransport]:
    """A transport that sends all requests to the stand-in platform."""
    transport = HttpTransport(endpoint_at(standin.url))
    async with transport.opened():
        yield transport


@pytest.fixture
async def platform(
    transport: HttpTransport, connections: FakeConnections, clock: FakeClock, sleep: FakeSleep
) -> AsyncIterator[ShopifyPlatform]:
    """The Shopify adapter, whose retries always wait for the longest possible backoff."""
    platform = ShopifyPlatform(
        AdminSessions(transport, connections, RetryPolicy(clock, sleep, lambda: 1.0), TIMEOUT), sleep
    )
    yield platform
    await platform.aclose()


@pytest.fixture
def neighbour(
    transport: HttpTransport, connections: FakeConnections, clock: FakeClock, sleep: FakeSleep
) -> ShopifyPlatform:
    """A second adapter, which stands for the adapter of another process with the same database."""
    return ShopifyPlatform(
        AdminSessions(transport, connections, RetryPolicy(clock, sleep, lambda: 1.0), TIMEOUT), sleep
    )
