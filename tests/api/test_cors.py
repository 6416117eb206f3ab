"""CORS: pages on any origin can call the API and read every response (docs/contract.md#cors)."""

from collections.abc import Mapping

import pytest

from tests.api.conftest import BASE, Api, MakeApi, Response
from tests.api.selection import configure_body
from tests.conftest import MakeKey

ORIGIN = "https://shop.example"
FROM_SHOP = {"Origin": ORIGIN}
EXPOSED = {
    "ratelimit",
    "ratelimit-policy",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "retry-after",
    "etag",
    "age",
    "link",
    "x-request-id",
    "content-language",
    "idempotent-replayed",
}


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


def names(answer_headers: Mapping[str, str], header: str) -> set[str]:
    """The names that a header lists, in lower case."""
    return {name.strip().lower() for name in answer_headers.get(header, "").split(",") if name.strip()}


def assert_readable(response: Response, origin: str = ORIGIN) -> None:
    """Assert that a page on this origin can read the response and its headers."""
    assert response.headers["Access-Control-Allow-Origin"] == origin
    assert names(response.headers, "Access-Control-Expose-Headers") == EXPOSED
    assert "origin" in names(response.headers, "Vary")
    assert "Access-Control-Allow-Credentials" not in response.headers


async def preflight(
    api: Api, path: str, method: str = "GET", origin: str = ORIGIN, asks: str | None = None
) -> Response:
    headers = {"Origin": origin, "Access-Control-Request-Method": method}
    if asks is not None:
        headers["Access-Control-Request-Headers"] = asks
    async with api.client.options(f"{BASE}{path}", headers=headers) as sent:
        return Response(sent.status, sent.headers, await sent.read())


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/bundles", "GET"),
        ("/bundles/10", "GET"),
        ("/bundles/10/products", "GET"),
        ("/bundles/10/price", "POST"),
        ("/bundles/10/configure", "POST"),
        ("/settings", "GET"),
        ("/bundles/98", "GET"),
        ("/bundles/0", "GET"),
        ("/nothing", "GET"),
        ("/nothing/at/all", "POST"),
        ("/settings/", "GET"),
        ("/embed/api/v1/nothing", "POST"),
    ],
)
async def test_preflights_need_no_key_and_pass_on_any_path(api: Api, path: str, method: str) -> None:
    response = (await preflight(api, path, method)).held()

    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert method in {name.upper() for name in names(response.headers, "Access-Control-Allow-Methods")}
    assert response.headers["Access-Control-Max-Age"] == "7200"
    assert "origin" in names(response.headers, "Vary")
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert "RateLimit" not in response.headers
    assert response.headers["X-Request-Id"]


@pytest.mark.parametrize(
    "origin", [ORIGIN, "http://localhost:3000", "https://a.b.c.example:8443", "null", "app://local"]
)
async def test_preflights_of_any_origin(api: Api, origin: str) -> None:
    """Preflights from any origin are allowed: they carry no key, so no key's list of origins applies."""
    response = (await preflight(api, "/bundles/10/configure", "POST", origin)).held()

    assert response.headers["Access-Control-Allow-Origin"] == origin


@pytest.mark.parametrize(
    "asks",
    [
        "authorization",
        "authorization,content-type",
        "Authorization, Content-Type, Idempotency-Key, X-Request-Id",
        "x-whatever,if-none-match,traceparent",
    ],
)
async def test_preflights_for_any_header(api: Api, asks: str) -> None:
    response = (await preflight(api, "/bundles/10/configure", "POST", asks=asks)).held()

    allowed = names(response.headers, "Access-Control-Allow-Headers")
    assert {name.strip().lower() for name in asks.split(",")} <= allowed


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
async def test_preflight_for_an_unknown_method_is_refused(api: Api, method: str) -> None:
    """A preflight for an unknown method is refused, so the browser does not send the request."""
    response = await preflight(api, "/settings", method)

    assert response.status in (200, 403, 405)
    assert method not in {name.upper() for name in names(response.headers, "Access-Control-Allow-Methods")}
    assert response.status == 200 or response.json["code"]


@pytest.mark.parametrize("missing", ["Origin", "Access-Control-Request-Method"])
async def test_options_that_is_not_a_preflight_needs_a_key(make_api: MakeApi, missing: str) -> None:
    api = await make_api()
    headers = {"Origin": ORIGIN, "Access-Control-Request-Method": "GET"}
    headers.pop(missing)

    refused = await api.with_key(None).request("OPTIONS", "/settings", headers=headers)
    known = await api.request("OPTIONS", "/settings", headers=headers)

    assert refused.held(403).code == "key_invalid"
    assert known.held(405).code == "method_not_allowed"


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        pytest.param("GET", "/bundles", None, 200, id="200"),
        pytest.param("HEAD", "/settings", None, 200, id="HEAD"),
        pytest.param("GET", "/bundles/10/products?countryCode=US", None, 200, id="products"),
        pytest.param("POST", "/bundles/20/configure", configure_body("1001@1"), 200, id="configure"),
        pytest.param("POST", "/bundles/20/price", configure_body("1001@1"), 200, id="price"),
        pytest.param("GET", "/bundles/0", None, 400, id="400"),
        pytest.param("POST", "/bundles/20/price", b"{", 400, id="400 of a body"),
        pytest.param("GET", "/bundles/98", None, 404, id="404"),
        pytest.param("GET", "/nothing", None, 404, id="404 of a path"),
        pytest.param("GET", "", None, 404, id="404 of the base"),
        pytest.param("GET", "//settings", None, 404, id="404 of slashes"),
        pytest.param("POST", "/settings", None, 405, id="405"),
        pytest.param("POST", "/bundles/20/price", b" " * (1024 * 1024 + 1), 413, id="413"),
    ],
)
async def test_every_response_can_be_read(api: Api, method: str, path: str, body: object, status: int) -> None:
    assert_readable((await api.request(method, path, body, FROM_SHOP)).held(status))


async def test_304_can_be_read(api: Api) -> None:
    tag = (await api.get("/bundles/10", FROM_SHOP)).headers["ETag"]

    assert_readable((await api.get("/bundles/10", {**FROM_SHOP, "If-None-Match": tag})).held(304))


async def test_refusals_of_keys_can_be_read(make_api: MakeApi, make_key: MakeKey) -> None:
    api = await make_api()
    embed_only = api.with_key(await make_key(scopes=("embed",)))
    spent = api.with_key(await make_key(rate_limit=1))
    await spent.get("/settings", FROM_SHOP)

    assert_readable((await api.with_key(None).get("/settings", FROM_SHOP)).held(403))
    assert_readable((await api.with_key(None).get("/nothing", FROM_SHOP)).held(403))
    assert_readable((await embed_only.get("/settings", FROM_SHOP)).held(403))
    assert_readable((await spent.get("/settings", FROM_SHOP)).held(429))


async def test_limit_of_guesses_can_be_read(make_api: MakeApi) -> None:
    api = await make_api()
    responses = [await api.with_key(None).get("/settings", FROM_SHOP) for _ in range(31)]

    assert responses[-1].status == 429
    assert_readable(responses[-1])


async def test_refused_origin_can_read_the_error(make_api: MakeApi, make_key: MakeKey) -> None:
    """A page on a refused origin can read the error: CORS permits this, although the key does not allow the origin."""
    api = await make_api()
    bound = api.with_key(await make_key(origins=("https://only.example",)))

    response = await bound.get("/settings", {"Origin": "https://evil.example"})

    assert response.held(403).code == "origin_not_allowed"
    assert_readable(response, "https://evil.example")


@pytest.mark.parametrize("path", ["/bundles", "/bundles/98", "/nothing"])
async def test_response_without_origin_varies_by_origin(api: Api, path: str) -> None:
    """The response to a request without an `Origin` header still varies by origin, so that no cache serves a page a response
    without CORS headers."""
    response = await api.get(path)

    assert not [name for name in response.headers if name.lower().startswith("access-control-")]
    assert "origin" in names(response.headers, "Vary")


async def test_response_echoes_the_origin_of_its_request(api: Api) -> None:
    """A response echoes the origin of its request, even when it comes from the cache."""
    for origin in ("https://one.example", "https://two.example", "https://one.example"):
        assert_readable((await api.get("/bundles/10", {"Origin": origin})).held(), origin)


async def test_every_header_of_responses_is_exposed(api: Api) -> None:
    """Every response header meant for clients is exposed to pages."""
    responses = [await api.get("/bundles/10", FROM_SHOP), await api.get("/bundles/98", FROM_SHOP)]
    key = {**FROM_SHOP, "Idempotency-Key": "k"}
    responses += [await api.post("/bundles/20/configure", configure_body("1001@1"), key) for _ in range(2)]

    sent = {name.lower() for response in responses for name in response.headers}
    always_readable = {
        "cache-control",
        "content-language",
        "content-length",
        "content-type",
        "expires",
        "last-modified",
    }
    of_the_transport = {"date", "server", "vary", "connection", "content-encoding", "transfer-encoding"}
    for_browsers = {name for name in sent if name.startswith("access-control-")} | {"x-content-type-options"}
    assert sent - always_readable - of_the_transport - for_browsers <= EXPOSED
