"""The cache of rendered responses (docs/contract.md#http-caching)."""

import asyncio

import orjson
import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from bundlesvc.api.response_cache.cache import LIVE_LIFETIME, ResponseCache
from bundlesvc.api.response_cache.entry import RenderKey
from bundlesvc.api.response_cache.freshness import PRODUCTS_FRESHNESS
from bundlesvc.domain.live_platform.platform_change import MARKETS, Change
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.publication import ALWAYS
from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from tests.fakes import FakeClock

EMBEDDED, LIVE = (
    Tenant(1, 1, Shop("demo", "Demo", "", "en", True, (), link, (), None))
    for link in (PlatformLink(), PlatformLink("shopify", "demo.example"))
)


class Renderer:
    """A renderer that counts its calls, and that a test can hold back."""

    def __init__(self, reading: Reading[object] | None = None) -> None:
        self.times = 0
        self.reading = reading
        self.started = asyncio.Event()
        self.may_finish = asyncio.Event()
        self.may_finish.set()

    async def __call__(self) -> Reading[object]:
        self.times += 1
        made = self.times
        self.started.set()
        await self.may_finish.wait()
        return self.reading or Reading(made)


@pytest.fixture
def rendered(clock: FakeClock) -> ResponseCache:
    return ResponseCache(clock)


async def get(rendered: ResponseCache, renderer: Renderer, tenant: Tenant = EMBEDDED) -> web.Response:
    request = make_mocked_request("GET", "/")
    return await rendered.respond(request, tenant, RenderKey("route"), PRODUCTS_FRESHNESS, renderer)


async def number(rendered: ResponseCache, renderer: Renderer, tenant: Tenant = EMBEDDED) -> int:
    """Request a response, and return the number of the rendering that produced it."""
    body = (await get(rendered, renderer, tenant)).body
    assert isinstance(body, bytes)
    return int(orjson.loads(body))


async def test_simultaneous_requests_render_once(rendered: ResponseCache) -> None:
    renderer = Renderer()
    renderer.may_finish.clear()
    requests = [asyncio.create_task(number(rendered, renderer)) for _ in range(50)]
    await renderer.started.wait()
    renderer.may_finish.set()
    assert [await request for request in requests] == [1] * 50


async def test_disconnected_client_does_not_cancel_the_rendering_of_others(rendered: ResponseCache) -> None:
    renderer = Renderer()
    renderer.may_finish.clear()
    gone, stays = (asyncio.create_task(number(rendered, renderer)) for _ in range(2))
    await renderer.started.wait()
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    renderer.may_finish.set()
    assert await stays == 1
    assert await number(rendered, renderer) == 1


async def test_failure_reaches_all_and_is_not_cached(rendered: ResponseCache) -> None:
    times = 0

    async def fails() -> Reading[object]:
        nonlocal times
        times += 1
        await asyncio.sleep(0)
        raise ZeroDivisionError

    request = make_mocked_request("GET", "/")
    asked = (rendered.respond(request, EMBEDDED, RenderKey("route"), PRODUCTS_FRESHNESS, fails) for _ in range(5))
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(each) for each in found] == [ZeroDivisionError] * 5
    assert times == 1
    assert await number(rendered, Renderer()) == 1


async def test_response_rendered_during_a_change_is_not_cached(rendered: ResponseCache) -> None:
    """A response rendered during a change is not cached: requests that arrived before the change get it, but later requests do
    not."""
    renderer = Renderer()
    renderer.may_finish.clear()
    before = asyncio.create_task(number(rendered, renderer))
    await renderer.started.wait()
    await rendered.drop(EMBEDDED, [Change(MARKETS)])
    after = asyncio.create_task(number(rendered, renderer))
    await asyncio.sleep(0)
    renderer.may_finish.set()
    assert [await before, await after] == [1, 2]
    assert await number(rendered, renderer) == 2


@pytest.mark.parametrize(
    ("tenant", "reading", "seconds", "made"),
    [
        (EMBEDDED, Reading(7), 1_000_000, 1),  # until the next revision
        (LIVE, Reading(7), LIVE_LIFETIME - 1, 1),  # a live platform changes without a new revision
        (LIVE, Reading(7), LIVE_LIFETIME, 2),
        (LIVE, Reading(7, lifetime=5), 4, 1),
        (LIVE, Reading(7, lifetime=5), 5, 2),
        (LIVE, Reading(7, lifetime=500), 499, 1),
    ],
)
async def test_how_long_responses_are_cached(
    tenant: Tenant, reading: Reading[object], seconds: float, made: int, rendered: ResponseCache, clock: FakeClock
) -> None:
    renderer = Renderer(reading)
    await get(rendered, renderer, tenant)
    clock.move(seconds)
    await get(rendered, renderer, tenant)
    assert renderer.times == made


async def test_age_of_stale_data_grows(rendered: ResponseCache, clock: FakeClock) -> None:
    renderer = Renderer(Reading(7, age=100.0, lifetime=10))
    assert (await get(rendered, renderer, LIVE)).headers["Age"] == "100"
    clock.move(9)
    assert (await get(rendered, renderer, LIVE)).headers["Age"] == "109"
    assert "Age" not in (await get(ResponseCache(clock), Renderer(), LIVE)).headers


async def test_response_past_the_cache_is_rendered_for_itself(rendered: ResponseCache) -> None:
    """A request that bypasses the cache neither reads nor replaces the cached entry, and its response has `Cache-Control:
    no-store`."""
    renderer = Renderer()
    await get(rendered, renderer)

    past = await rendered.respond_no_store(make_mocked_request("GET", "/"), renderer)

    assert (past.body, past.headers["Cache-Control"]) == (b"2", "no-store")
    after = await get(rendered, renderer)
    assert after.body == b"1"
    assert after.headers["Cache-Control"] == PRODUCTS_FRESHNESS.header(ALWAYS)


async def test_response_past_the_cache_has_the_age_of_its_data(rendered: ResponseCache) -> None:
    stale = Renderer(Reading(7, age=100.0, lifetime=10))
    past = await rendered.respond_no_store(make_mocked_request("GET", "/"), stale)
    assert past.headers["Age"] == "100"
