"""With BUNDLESVC_SHARED_CACHING, a CDN may cache the embed API's responses to GET requests (docs/contract.md#http-caching)."""

from dataclasses import replace

import pytest

from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, MakeApi, Response
from tests.api.loaded import RATE_LIMIT
from tests.conftest import MakeKey

SHARED = ["/embed/api/v1/bundle?id=10", "/embed/api/v1/bundle?id=10&lang=de", "/embed/api/v1/settings"]
VISITOR = "7d444840-9dc0-11d1-b245-5ffdce74fad2"
TIMES = 3
"""How many times each request is sent: the last response comes from the edge, if there is one."""


@pytest.fixture(params=[True, False], ids=["edge", "application"])
async def api(request: pytest.FixtureRequest, settings: Settings, make_api: MakeApi) -> Api:
    return await make_api(settings=replace(settings, shared_caching=True, edge=request.param))


async def last(api: Api, path: str, **headers: str) -> Response:
    for _ in range(TIMES):
        response = await api.get(path, {name.replace("_", "-"): value for name, value in headers.items()})
    return response


def is_shared(response: Response) -> bool:
    return "public" in response.headers["Cache-Control"]


@pytest.mark.parametrize("path", SHARED)
async def test_embed_get_may_be_cached_by_a_cdn_for_as_long_as_by_a_browser(path: str, api: Api) -> None:
    response = (await last(api, path)).held()
    assert response.headers["Cache-Control"] == "public, max-age=15, s-maxage=15, stale-while-revalidate=60"


@pytest.mark.parametrize("path", SHARED)
async def test_cdn_caches_by_key_origin_coding_and_language(path: str, api: Api) -> None:
    response = await last(api, path)
    assert response.headers["Vary"] == "Authorization, Origin, Accept-Encoding, Accept-Language"


@pytest.mark.parametrize("path", SHARED)
async def test_shared_response_has_nothing_of_its_request(path: str, api: Api) -> None:
    response = await last(api, path, X_Request_Id="mine", Origin="https://shop.example")
    assert is_shared(response)
    assert not [name for name in response.headers if "ratelimit" in name.lower() or "request-id" in name.lower()]
    assert "Set-Cookie" not in response.headers
    assert b"mine" not in response.body


async def test_shared_response_is_purged_by_shop_or_revision(api: Api) -> None:
    response = await last(api, SHARED[0])
    shop, revision = response.headers["Surrogate-Key"].split(" ")
    assert shop == "shop-demo"
    assert revision.startswith("shop-demo-")
    assert response.headers["Cache-Tag"] == f"{shop},{revision}"


async def test_revision_of_the_tag_rises_with_the_shop(api: Api, make_key: MakeKey) -> None:
    before = (await last(api, SHARED[0])).headers["Surrogate-Key"]
    await make_key()  # changes the shop
    await api.refresh()
    after = await last(api, SHARED[0])
    assert is_shared(after)
    assert after.headers["Surrogate-Key"] != before


async def test_304_is_shared_like_the_response(api: Api) -> None:
    response = await last(api, SHARED[0])
    unchanged = (await last(api, SHARED[0], If_None_Match=response.headers["ETag"])).held(304)
    for name in ("Cache-Control", "Vary", "ETag", "Surrogate-Key", "Cache-Tag"):
        assert unchanged.headers[name] == response.headers[name]
    assert "X-Request-Id" not in unchanged.headers


@pytest.mark.parametrize(
    "path",
    [
        "/bundles/10",
        "/bundles/10/products",
        "/settings",
        f"/embed/api/v1/bundle?id=10&visitor_id={VISITOR}",
        "/embed/api/v1/bundle/10/variant/1",
    ],
)
async def test_other_responses_stay_private(path: str, api: Api) -> None:
    response = await last(api, path)
    assert "public" not in response.headers["Cache-Control"]
    assert "Surrogate-Key" not in response.headers
    assert response.headers["X-Request-Id"]
    assert response.headers["X-RateLimit-Remaining"]


async def test_responses_to_a_test_key_stay_private(api: Api, make_key: MakeKey) -> None:
    """Responses to a test key stay private, because a test key sees unpublished bundles."""
    response = await last(api.with_key(await make_key(test=True, rate_limit=RATE_LIMIT)), SHARED[0])
    assert not is_shared(response.held())


async def test_errors_are_never_stored(api: Api) -> None:
    for path in ("/embed/api/v1/bundle", "/embed/api/v1/bundle?id=999999"):
        assert (await last(api, path)).headers["Cache-Control"] == "no-store"
    assert (await last(api.with_key(None), SHARED[0])).held(403).headers["Cache-Control"] == "no-store"


async def test_request_that_reaches_the_service_is_still_checked(api: Api, make_key: MakeKey) -> None:
    """A request from a foreign origin, or with a key that lacks the required scope, is refused, even after other callers have
    received the same response."""
    await last(api, SHARED[0])
    elsewhere = api.with_key(await make_key(rate_limit=RATE_LIMIT, origins=("https://a.example",)))
    assert (await last(elsewhere, SHARED[0], Origin="https://b.example")).held(403).code == "origin_not_allowed"
    headless = api.with_key(await make_key(rate_limit=RATE_LIMIT, scopes=("headless",)))
    assert (await last(headless, SHARED[0])).held(403).code == "key_scope"


async def test_requests_that_reach_the_service_still_cost_a_token(api: Api, make_key: MakeKey) -> None:
    limited = api.with_key(await make_key(rate_limit=4))
    statuses = [(await limited.get(SHARED[0])).status for _ in range(6)]
    assert statuses == [200] * 4 + [429] * 2


@pytest.mark.parametrize("path", SHARED)
async def test_nothing_is_shared_without_the_setting(path: str, make_api: MakeApi) -> None:
    response = await last(await make_api(), path)
    assert not is_shared(response)
    assert "Surrogate-Key" not in response.headers
    assert "Cache-Tag" not in response.headers
