"""A busy hour of a shop on a live platform, by a clock that is set: what it costs the platform (design 13)."""

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
from bundlesvc.platforms.routing import PlatformByKind
from bundlesvc.settings import Settings
from tests.api.conftest import Server
from tests.caching.test_freshness import settled
from tests.failures.shopping import NATIVE
from tests.failures.stage import Ground
from tests.fakes import FakeClock
from tests.process.serving import BASE, SECRET_KEY
from tests.process.shop import BOX, SHOP
from tests.standin.server import Standin
from tests.standin.shop_file import from_shop_file

HOUR = 3600
STEP = 10
"""Seconds between two moments: what comes at one moment finds the same, so that ten requests stand for a thousand."""

AT_A_MOMENT = 10
PRODUCTS_TTL, PRICES_TTL, SHOP_TTL = 60, 40, 300
HANDLE = "busy"


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    with ThreadPoolExecutor(1) as thread:  # an event loop of its own, and none of the tests'
        return thread.submit(Ground.laid_out, [HANDLE], tmp_path).result()


def remembered(app: web.Application) -> CachedPlatform:
    """What the application remembers of live platforms."""
    platform = app[SHOPS]._platform
    assert isinstance(platform, PlatformByKind)
    assert isinstance(platform._otherwise, CachedPlatform)
    return platform._otherwise


async def test_a_warm_hour(ground: Ground, clock: FakeClock, aiohttp_client: AiohttpClient) -> None:
    shop = ground.shops[HANDLE]
    async with Standin(from_shop_file(SHOP), clock, tokens={shop.token}).serve() as standin:
        settings = Settings(
            database=ground.address,
            secret_keys=(SECRET_KEY,),
            platform_endpoint=standin.url,
            cache_products_ttl=PRODUCTS_TTL,
            cache_prices_ttl=PRICES_TTL,
            cache_shop_ttl=SHOP_TTL,
        )
        app = create_app(settings, clock=clock)
        live = remembered(app)
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
            await settled(live)  # the clock must not run away from what is being asked

        for operation, ttl in (
            ("ProductsById", PRODUCTS_TTL),
            ("MarketPricesByVariant", PRICES_TTL),
            ("ResolvedMarket", PRICES_TTL),
            ("ShopSettings", SHOP_TTL),
            ("SellingPlans", SHOP_TTL),
        ):
            most = HOUR // ttl + 1  # the first one was no refresh
            assert 0 < standin.calls[operation] <= most, operation
