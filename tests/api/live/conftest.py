"""Fixtures: the service with a shop on the stand-in platform. The platform's data is cached until a webhook arrives."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Protocol

import pytest
from aiohttp import ClientSession

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import credentials_cipher
from tests.api.conftest import Api, Serve
from tests.api.loaded import RATE_LIMIT
from tests.cli.live_shop import DOMAIN, SHOP_FILE, platform_shop
from tests.conftest import SECRET_KEY, LoadShop, MakeKey
from tests.fakes import FakeClock
from tests.standin.app.webhooks import SECRET, Webhook
from tests.standin.data.shop import Shop
from tests.standin.fixtures import quick_retries, standin
from tests.standin.server import TOKEN, Standin

__all__ = ["quick_retries", "standin"]


class Connect(Protocol):
    async def __call__(self, domain: str, handle: str = "live", secret: str = SECRET) -> None: ...


Deliver = Callable[[Api, Webhook], Awaitable[int]]


@pytest.fixture
def standin_shop() -> Shop:
    return platform_shop()


@pytest.fixture
def connections(database: Database) -> SqlCredentialStore:
    return SqlCredentialStore(database, credentials_cipher([SECRET_KEY]))


@pytest.fixture
def connect(database: Database, connections: SqlCredentialStore, clock: FakeClock) -> Connect:
    """A function that connects a shop to the platform at a domain."""

    async def connect(domain: str, handle: str = "live", secret: str = SECRET) -> None:
        tenant = await SqlKeyStore(database).tenant(handle)
        assert tenant is not None
        await connections.connect(tenant, PlatformConnection(domain, TOKEN, secret), int(clock.now()))

    return connect


@pytest.fixture
async def live_settings(
    settings: Settings, connect: Connect, load_shop: LoadShop, standin: Standin, quick_retries: None
) -> Settings:
    """Load the shop "live" and connect it to the platform, whose data may be cached for an hour."""
    await load_shop(SHOP_FILE)
    await connect(DOMAIN)
    return replace(settings, platform_endpoint=standin.url, cache_products_ttl=3600, cache_prices_ttl=3600)


@pytest.fixture
async def apis(quick_polls: None, live_settings: Settings, serve: Serve, make_key: MakeKey) -> list[Api]:
    """Two processes of the service, called with the same key of the shop "live"."""
    key = await make_key("live", rate_limit=RATE_LIMIT)
    apis = [Api(await serve(settings=live_settings), key) for _ in range(2)]
    for api in apis:
        await api.refresh()
    return apis


@pytest.fixture
async def deliver() -> AsyncIterator[Deliver]:
    """A function that sends a webhook to a process of the service, as the platform does, and returns the status of the
    response."""
    async with ClientSession() as session:

        async def deliver(api: Api, webhook: Webhook) -> int:
            return await webhook.send(session, str(api.client.make_url("/webhooks/platform/live")))

        yield deliver
