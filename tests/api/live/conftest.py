"""The service with a shop on the stand-in platform, which remembers what that said until a webhook tells of a change."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import pytest
from aiohttp import ClientSession

from bundlesvc.ambient import SystemClock
from bundlesvc.domain.product import MarketPrice, Product, Variant
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.platforms.shopify.transport import HttpTransport, endpoint_at
from bundlesvc.ports import Connection, Reading
from bundlesvc.sealing import FernetSealer
from bundlesvc.storage.connections import SqlConnections
from bundlesvc.storage.database import Database
from bundlesvc.storage.keys import SqlKeyStore
from tests.api.conftest import Api, Serve
from tests.api.shared import RATE_LIMIT
from tests.cli.live_shop import DOMAIN, SHOP_FILE, platform_shop
from tests.conftest import SECRET_KEY, LoadShop, MakeKey
from tests.fakes import FakeClock
from tests.standin.fixtures import standin
from tests.standin.server import TOKEN, Standin
from tests.standin.shop import Shop
from tests.standin.webhooks import SECRET, Webhook

__all__ = ["standin"]

Connect = Callable[[str], Awaitable[None]]
Deliver = Callable[[Api, Webhook], Awaitable[int]]


class RememberedPlatform(ShopifyPlatform):
    """What it answers may be kept for an hour, as it may where a cache is around it."""

    async def products(
        self, tenant: Tenant, product_ids: Sequence[int], max_age: float | None = None
    ) -> Reading[Mapping[int, Product]]:
        return replace(await super().products(tenant, product_ids, max_age), lifetime=3600)

    async def market_prices(
        self, tenant: Tenant, variants: Iterable[Variant], country: str, max_age: float | None = None
    ) -> Reading[Mapping[int, MarketPrice]]:
        return replace(await super().market_prices(tenant, variants, country, max_age), lifetime=3600)


@pytest.fixture
def standin_shop() -> Shop:
    return platform_shop()


@pytest.fixture
def connections(database: Database) -> SqlConnections:
    return SqlConnections(database, FernetSealer([SECRET_KEY]))


@pytest.fixture
def connect(database: Database, connections: SqlConnections, clock: FakeClock) -> Connect:
    """Connects the shop "live" at a domain."""

    async def connect(domain: str) -> None:
        tenant = await SqlKeyStore(database).tenant("live")
        assert tenant is not None
        await connections.connect(tenant, Connection(domain, TOKEN, SECRET), int(clock.now()))

    return connect


@pytest.fixture
async def platform(
    connections: SqlConnections, connect: Connect, load_shop: LoadShop, standin: Standin
) -> AsyncIterator[RememberedPlatform]:
    """The live platform of the shop "live", which is loaded and connected."""
    await load_shop(SHOP_FILE)
    await connect(DOMAIN)
    transport = HttpTransport(endpoint_at(standin.url))
    async with transport.opened():
        yield RememberedPlatform(transport, connections, SystemClock(), timeout=10)


@pytest.fixture
def quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a process does once a second it does a hundred times as often."""
    monkeypatch.setattr("bundlesvc.app.REFRESH_SECONDS", 0.01)


@pytest.fixture
async def apis(quick_polls: None, platform: RememberedPlatform, serve: Serve, make_key: MakeKey) -> list[Api]:
    """Two processes of the service, with one key of the shop "live"."""
    key = await make_key("live", rate_limit=RATE_LIMIT)
    apis = [Api(await serve(platform=platform), key) for _ in range(2)]
    for api in apis:
        await api.refresh()
    return apis


@pytest.fixture
async def deliver() -> AsyncIterator[Deliver]:
    """Sends a webhook to a process of the service, as the platform does; the status of the answer."""
    async with ClientSession() as session:

        async def deliver(api: Api, webhook: Webhook) -> int:
            return await webhook.send(session, str(api.client.make_url("/webhooks/platform/live")))

        yield deliver
