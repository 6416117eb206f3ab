"""The number of platform calls for a shop during a busy hour, measured with a fake clock (docs/contract.md#live-data)."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient
from pytest_aiohttp.plugin import AiohttpClient

from bundlesvc.api.app_keys import SHOPS
from bundlesvc.app import create_app
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.domain.shop import SHOPIFY
from bundlesvc.platforms.routing import PlatformByKind
from bundlesvc.settings.environment import Settings
from tests.api.conftest import Server
from tests.caching.test_freshness import settled
from tests.failures.service import Setup
from tests.failures.shopping import NATIVE
from tests.fakes import FakeClock
from tests.process.serving import BASE, SECRET_KEY
from tests.process.shop import BOX, SHOP
from tests.standin.data.shop_file import from_shop_file
from tests.standin.server import Standin

HOUR = 3600
STEP = 10
"""Seconds between two batches of requests. All requests in a batch find the cache in the same state, so ten represent a
thousand."""

AT_A_MOMENT = 10
PRODUCTS_TTL, PRICES_TTL, SHOP_TTL = 60, 40, 300
HANDLE = "busy"


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    with ThreadPoolExecutor(1) as thread:  # `prepared` needs an event loop of its own
        return thread.submit(Setup.prepared, [HANDLE], tmp_path).result()


def cached_platform(app: web.Application) -> CachedPlatform:
    """Return the application's cache in front of the live platforms."""
    platform = app[SHOPS]._platform
    assert isinstance(platform, PlatformByKind)
    cached = platform._by_kind[SHOPIFY]
    assert isinstance(cached, CachedPlatform)
    return cached


async def test_calls_in_an_hour_are_bounded_by_ttls(
    setup: Setup, clock: FakeClock, aiohttp_client: AiohttpClient
) -> None:
    shop = setup.shops[HANDLE]
    async with Standin(from_shop_file(SHOP), clock, tokens={shop.token}).serve() as standin:
        settings = Settings(
            database=setup.address,
            secret_keys=(SECRET_KEY,),
            platform_endpoint=standin.url,
            cache_products_ttl=PRODUCTS_TTL,
            cache_prices_ttl=PRICES_TTL,
            cache_shop_ttl=SHOP_TTL,
        )
        app = create_app(settings, clock=clock)
        live = cached_platform(app)
        client: TestClient[Any, Any] = await aiohttp_client(
            Server(app), headers={"Authorization": f"Bearer {shop.key}"}
        )
        requests = (
            partial(client.get, f"{BASE}/bundles/{BOX}/products?countryCode=JP"),
            partial(client.get, f"{BASE}/bundles/{BOX}"),
            partial(client.get, f"{BASE}/settings"),
            partial(client.post, f"{BASE}/bundles/{BOX}/price", json=NATIVE),
        )

        async def call(number: int) -> int:
            async with requests[number % len(requests)]() as response:
                await response.read()
                return response.status

        for _ in range(HOUR // STEP):
            clock.move(STEP)
            assert set(await asyncio.gather(*map(call, range(AT_A_MOMENT)))) == {200}
            await settled(live)  # the clock must not move during fetches

        for operation, ttl in (
            ("ProductsById", PRODUCTS_TTL),
            ("MarketPricesByVariant", PRICES_TTL),
            ("ResolvedMarket", PRICES_TTL),
            ("ShopSettings", SHOP_TTL),
            ("SellingPlans", SHOP_TTL),
        ):
            most = HOUR // ttl + 1  # the first fetch is not a refresh
            assert 0 < standin.calls[operation] <= most, operation
