"""The service with a shop on a real Vendure server: reads, prices, purchases, and every failure in docs/failures.md."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.vendure import client
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from tests.api.conftest import Api, Serve
from tests.api.loaded import RATE_LIMIT
from tests.cli.live_shop import SHIRT as STANDIN_SHIRT
from tests.conftest import LoadShop, MakeKey
from tests.failures.live_platform.vendure_faults import FAULTS, VendureFault
from tests.fakes import FakeClock
from tests.process.shop import BOX, SHOP
from tests.standin.server import Standin
from tests.vendure.fixtures import SeededEngine
from tests.vendure.proxy import EngineProxy

pytestmark = pytest.mark.process

TIMEOUT = 10.0
CRATE = 50
PRODUCTS = f"/bundles/{CRATE}/products"
SHIRT_AND_MUG = [
    {"variant": "1001", "product": "111", "section": 1},
    {"variant": "2001", "product": "222", "section": 1},
]

VENDURE_SHOP = f"""
shop: {{handle: tea, name: Tea, domain: tea.example, locale: en, headlessEnabled: true, templates: [default],
       activeFeatures: [translations], platform: {{kind: vendure, domain: tea.example, markets: [
         {{countryCode: US, currency: USD, exchangeRate: "1.10", channel: us}}]}}}}
bundles:
  - {{id: {CRATE}, name: Crate, type: native, layout: single-page, platformProductId: "222", parentVariantId: "2001",
     discount: {{type: percentage, value: "10"}},
     sections: [{{id: 1, name: All, order: 0, products: [
       {{bundleItemId: 1, platformProductId: "111"}}, {{bundleItemId: 2, platformProductId: "222"}}]}}]}}
"""


@pytest.fixture
async def proxy(engine: SeededEngine) -> AsyncIterator[EngineProxy]:
    async with EngineProxy(engine.address).serve() as proxy:
        yield proxy


@pytest.fixture
async def tea(
    database: Database, load_shop: LoadShop, connections: SqlCredentialStore, engine: SeededEngine, clock: FakeClock
) -> None:
    """A connected shop on Vendure."""
    await load_shop(VENDURE_SHOP)
    tenant = await SqlKeyStore(database).tenant("tea")
    assert tenant is not None
    await connections.connect(tenant, PlatformConnection("tea.example", engine.session), int(clock.now()))


@pytest.fixture
async def api(
    tea: None,
    settings: Settings,
    proxy: EngineProxy,
    serve: Serve,
    make_key: MakeKey,
    quick_retries: None,
    monkeypatch: pytest.MonkeyPatch,
) -> Api:
    monkeypatch.setattr(client, "THROTTLED_SECONDS", 0.001)
    cached = replace(settings, vendure_endpoint=proxy.url, cache_products_ttl=60, platform_timeout=2)
    return await api_of("tea", cached, serve, make_key)


async def api_of(handle: str, settings: Settings, serve: Serve, make_key: MakeKey) -> Api:
    api = Api(await serve(settings=settings), await make_key(handle, rate_limit=RATE_LIMIT))
    await api.refresh()
    return api


def selection(**more: Any) -> dict[str, Any]:
    return {"products": SHIRT_AND_MUG, **more}


async def test_warm_reads_need_no_call(api: Api, proxy: EngineProxy) -> None:
    first = (await api.get(PRODUCTS)).held()
    assert [product["title"] for product in first.json["products"]] == ["Shirt", "Mug"]
    (await api.get(f"{PRODUCTS}?countryCode=US")).held()
    calls = proxy.calls.total()
    assert proxy.calls["BundleProducts"] == 1
    for _ in range(10):
        assert (await api.get(PRODUCTS)).held().body == first.body
        (await api.get(f"{PRODUCTS}?countryCode=US")).held()
        (await api.post(f"/bundles/{CRATE}/price", selection())).held()
    assert proxy.calls.total() == calls


async def test_prices_at_home_and_in_a_market(api: Api) -> None:
    home = (await api.post(f"/bundles/{CRATE}/price", selection())).held().json
    assert (home["originalPrice"], home["discountedPrice"], home["currency"]) == ("27.99", "25.19", "EUR")
    shown = (await api.get(f"{PRODUCTS}?countryCode=US")).held().json["products"]
    prices = {
        variant["platformVariantId"]: variant["presentmentPrice"]
        for product in shown
        for variant in product["variants"]
    }
    assert prices["1001"] == "23.09"
    assert prices["1002"] == "21.00"


async def test_native_bundle_is_configured(api: Api) -> None:
    response = (await api.post(f"/bundles/{CRATE}/configure", selection(type="native"))).held().json
    lines = response["cart"]["line_items"]
    assert [line["id"] for line in lines] == [1001, 2001]
    assert all(line["properties"]["_bundle_data"] for line in lines)


async def test_three_platforms_in_one_process(
    api: Api,
    standin: Standin,
    proxy: EngineProxy,
    live_settings: Settings,
    load_shop: LoadShop,
    serve: Serve,
    make_key: MakeKey,
) -> None:
    await load_shop(SHOP)
    every = replace(live_settings, vendure_endpoint=proxy.url)
    service = await serve(settings=every)
    apis = {handle: Api(service, await make_key(handle, rate_limit=RATE_LIMIT)) for handle in ("demo", "live", "tea")}
    await apis["demo"].refresh()
    bundles = {"demo": BOX, "live": 42, "tea": CRATE}
    for handle, bundle in bundles.items():
        assert (await apis[handle].get(f"/bundles/{bundle}/products")).held().json["products"], handle
    assert standin.calls["ProductsById"] == 1
    assert standin.shop.products[STANDIN_SHIRT].title
    assert proxy.calls["BundleProducts"] == 1


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_failure_has_its_refusal_and_is_not_cached(
    fault: VendureFault, api: Api, proxy: EngineProxy, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    proxy.fault = fault.fault()
    response = await api.get(PRODUCTS)
    (refusal,) = [one for one in fault.refusals if (one.status, one.code) == (response.status, response.code)]
    assert int(response.headers["Retry-After"]) in refusal.retry_afters
    assert fault.line in caplog.text
    proxy.heal()
    await _until_it_responds(api, clock)


async def _until_it_responds(api: Api, clock: FakeClock) -> None:
    """Wait until a read succeeds, for up to ten seconds on the test's clock. A process that has paused its calls to the platform
    resumes them with a single trial call."""
    seconds_left = 10
    async with asyncio.timeout(TIMEOUT):
        while (await api.get(PRODUCTS)).status != 200:
            passing = min(2, seconds_left)
            clock.move(passing)
            seconds_left -= passing
            await asyncio.sleep(0.02)


async def test_reads_and_purchases_go_on_while_the_engine_is_away(
    api: Api, proxy: EngineProxy, clock: FakeClock
) -> None:
    """While the engine is down, reads continue for a day, and purchases until the data is five minutes old."""
    first = (await api.get(PRODUCTS)).held()
    proxy.fault = FAULTS["gateway"].fault()
    clock.move(100)
    assert (await api.get(PRODUCTS)).held().body == first.body
    (await api.post(f"/bundles/{CRATE}/configure", selection(type="native"))).held()
    clock.move(300)
    assert int((await api.get(PRODUCTS)).held().headers["Age"]) == pytest.approx(400, abs=1)
    assert (await api.post(f"/bundles/{CRATE}/configure", selection(type="native"))).held(503).code == (
        "platform_unavailable"
    )


async def test_webhooks_are_refused_without_a_secret(api: Api) -> None:
    """If a shop is connected without a webhook secret, any webhook for the shop is refused as if the signature were wrong."""
    async with api.client.post("/webhooks/platform/tea", json={}) as response:
        assert response.status == 403
        assert (await response.json())["code"] == "signature_invalid"


async def test_metrics_count_calls_and_have_the_state_of_the_shop(api: Api) -> None:
    (await api.get(PRODUCTS)).held()
    metrics = await api.metrics()
    assert metrics['bundlesvc_platform_calls_total{operation="BundleProducts",outcome="ok"}'] == 1
    assert metrics['bundlesvc_platform_circuit_breakers{state="closed"}'] == 1
