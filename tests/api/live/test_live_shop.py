"""A shop on a live platform: how often the service fetches data, and what clients see when the platform or Redis fails
(docs/contract.md#live-data)."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import ClientResponse

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import credentials_cipher
from tests.api.conftest import Api, Serve
from tests.api.loaded import RATE_LIMIT
from tests.api.selection import price_body
from tests.conftest import SECRET_KEY, LoadShop, MakeKey
from tests.fakes import FakeClock
from tests.platforms.shopify.webhooks.test_messages import SECRET, headers
from tests.process.shop import BOX, SHIRT, SHOP
from tests.servers.redis_server import RedisServer
from tests.standin.data.connected_file import write_connected_file
from tests.standin.data.shop_file import from_shop_file
from tests.standin.faults import refused
from tests.standin.server import TOKEN, Standin

PRODUCTS = f"/bundles/{BOX}/products"
IN_JAPAN = f"{PRODUCTS}?countryCode=JP"
TIMEOUT = 10.0


@pytest.fixture
async def standin(clock: FakeClock) -> AsyncIterator[Standin]:
    """The stand-in platform."""
    async with Standin(from_shop_file(SHOP), clock).serve() as standin:
        yield standin


@pytest.fixture
async def shop(database: Database, load_shop: LoadShop, tmp_path: Path, standin: Standin, clock: FakeClock) -> Tenant:
    """A shop that is connected to the stand-in platform and has the platform's products."""
    path = tmp_path / "live.yaml"
    handle = write_connected_file(SHOP, path, standin.shop.domain)
    await load_shop(path)
    tenant = await SqlKeyStore(database).tenant(handle)
    assert tenant is not None
    connection = PlatformConnection(standin.shop.domain, TOKEN, SECRET)
    await SqlCredentialStore(database, credentials_cipher([SECRET_KEY])).connect(tenant, connection, int(clock.now()))
    return tenant


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.process)])
def store(request: pytest.FixtureRequest, settings: Settings) -> Settings:
    """The settings, once without and once with Redis."""
    if request.param == "memory":
        return settings
    request.getfixturevalue("long_redis_timeout")
    redis: RedisServer = request.getfixturevalue("redis")
    return replace(settings, redis_url=redis.url)


@pytest.fixture
async def api(
    store: Settings,
    shop: Tenant,
    standin: Standin,
    serve: Serve,
    make_key: MakeKey,
) -> Api:
    """The service, with an API key for the shop."""
    client = await serve(settings=replace(store, platform_endpoint=standin.url))
    api = Api(client, await make_key(shop.shop.handle, rate_limit=RATE_LIMIT))
    await api.refresh()
    return api


def fail(standin: Standin) -> None:
    """Make the platform refuse all calls from now on, with an error that is not retried."""
    standin.fail_next(refused(403), times=None)


async def test_cold_read_and_warm_ones(api: Api, standin: Standin) -> None:
    first = (await api.get(IN_JAPAN)).held()
    assert [product["title"] for product in first.json["products"]] == ["Shirt", "Mug"]
    asked = standin.calls.total()
    assert standin.calls["ProductsById"] == 1
    for _ in range(20):
        again = (await api.get(IN_JAPAN)).held()
        assert (again.body, again.headers.get("Age")) == (first.body, None)
    (await api.post(f"/bundles/{BOX}/price", price_body("1001@1", "2221@2"))).held(400)
    (await api.post(f"/bundles/{BOX}/price", {**price_body("1001@1"), "countryCode": "JP"})).held(400)
    assert standin.calls.total() == asked


async def test_simultaneous_cold_reads_fetch_as_often_as_one(api: Api, standin: Standin) -> None:
    await asyncio.gather(*(api.get(IN_JAPAN) for _ in range(50)))
    for_fifty = standin.calls.copy()
    standin.calls.clear()
    (await api.get(f"{PRODUCTS}?countryCode=US")).held()
    for_one = standin.calls
    assert for_fifty["ProductsById"] == 1
    assert all(for_fifty[operation] == calls for operation, calls in for_one.items())


@pytest.mark.parametrize("seconds", [61, 80_000])
async def test_reads_go_on_while_the_platform_fails(seconds: int, api: Api, standin: Standin, clock: FakeClock) -> None:
    first = (await api.get(IN_JAPAN)).held()
    fail(standin)
    clock.move(seconds)
    stale = (await api.get(IN_JAPAN)).held()
    assert stale.body == first.body
    assert int(stale.headers["Age"]) == pytest.approx(seconds, abs=1)


async def test_read_without_a_cache_entry_fails_as_the_platform_does(api: Api, standin: Standin) -> None:
    """A read without a cache entry reports the platform's failure, here a refused call."""
    fail(standin)
    refused = (await api.get(PRODUCTS)).held(502)
    assert refused.code == "platform_error"
    assert int(refused.headers["Retry-After"]) >= 1


async def test_prices_are_not_calculated_from_too_old_data(api: Api, standin: Standin, clock: FakeClock) -> None:
    body = {"products": [{"variant": "1001", "product": str(SHIRT), "section": 1}]}
    (await api.get(PRODUCTS)).held()
    fail(standin)
    clock.move(299)
    (await api.post(f"/bundles/{BOX}/price", body)).held()
    clock.move(2)
    for path, sent in (("price", body), ("configure", {**body, "type": "native"})):
        refused = (await api.post(f"/bundles/{BOX}/{path}", sent)).held(503)
        assert refused.code == "platform_unavailable"
        assert int(refused.headers["Retry-After"]) >= 1
    (await api.get(PRODUCTS)).held()


async def test_platform_that_is_back_is_noticed(api: Api, standin: Standin, clock: FakeClock) -> None:
    (await api.get(PRODUCTS)).held()
    fail(standin)
    clock.move(100)
    assert "Age" in (await api.get(PRODUCTS)).held().headers
    standin.heal()
    standin.shop.products[SHIRT].title = "New Shirt"
    async with asyncio.timeout(TIMEOUT):
        while "Age" in (await api.get(PRODUCTS)).headers:
            clock.move(2)
            await asyncio.sleep(0.02)
    response = (await api.get(PRODUCTS)).held()
    assert response.json["products"][0]["title"] == "New Shirt"


async def test_webhook_shows_in_every_process(
    quick_polls: None, api: Api, standin: Standin, shop: Tenant, serve: Serve, store: Settings
) -> None:
    neighbour = Api(await serve(settings=replace(store, platform_endpoint=standin.url)), api.key)
    await neighbour.refresh()
    for process in (api, neighbour):
        (await process.get(PRODUCTS)).held()
    standin.shop.products[SHIRT].title = "New Shirt"
    body = json.dumps({"id": SHIRT}).encode()
    sent = headers(body, changed={"Shop_Domain": standin.shop.domain})
    async with api.client.post(f"/webhooks/platform/{shop.shop.handle}", data=body, headers=sent) as response:
        await _ok(response)
    async with asyncio.timeout(TIMEOUT):
        for process in (api, neighbour):
            await _shows(process, "New Shirt")
    assert standin.calls["ProductsById"] <= 4  # 2 processes, before/after webhook


async def _shows(process: Api, title: str) -> None:
    """Wait until the first product that the process returns has this title."""
    while True:
        if (await process.get(PRODUCTS)).json["products"][0]["title"] == title:
            return
        await asyncio.sleep(0.02)


async def _ok(response: ClientResponse) -> None:
    assert response.status == 200, await response.text()


@pytest.mark.process
@pytest.mark.parametrize("store", ["redis"], indirect=True)
async def test_requests_go_on_when_redis_dies(api: Api, redis: RedisServer, standin: Standin, clock: FakeClock) -> None:
    (await api.get(IN_JAPAN)).held()
    redis.kill()
    clock.move(30)
    for path in (IN_JAPAN, PRODUCTS, f"/bundles/{BOX}", "/settings"):
        response = (await api.get(path)).held()
        assert int(response.headers["X-RateLimit-Remaining"]) > 0
    body = {"products": [{"variant": "1001", "product": str(SHIRT), "section": 1}]}
    (await api.post(f"/bundles/{BOX}/price", body)).held()
    async with api.client.get("/metrics") as sent:
        metrics = await sent.text()
    assert "bundlesvc_redis_up 0.0" in metrics
    assert 'bundlesvc_cache_reads_total{kind="product",result="miss",tier="platform"}' in metrics


@pytest.mark.process
@pytest.mark.parametrize("store", ["redis"], indirect=True)
async def test_processes_share_limits_and_guesses(
    api: Api, serve: Serve, store: Settings, standin: Standin, make_key: MakeKey, shop: Tenant
) -> None:
    neighbour = Api(await serve(settings=replace(store, platform_endpoint=standin.url)), None)
    await neighbour.refresh()
    key = await make_key(shop.shop.handle, rate_limit=10)
    remaining = [
        (await process.with_key(key).get("/bundles")).held().headers["X-RateLimit-Remaining"]
        for process in (api, neighbour, api)
    ]
    assert remaining == ["9", "8", "7"]
    statuses = [(await process.with_key("wrong").get("/bundles")).status for process in (api, neighbour) * 20]
    assert statuses.count(403) == 30
