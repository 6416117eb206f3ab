"""CORS: browsers may call from anywhere and read every answer, errors too (design 6)."""

from collections.abc import Mapping

import pytest

from tests.api.conftest import BASE, Answer, Api, MakeApi
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


def assert_readable(answer: Answer, origin: str = ORIGIN) -> None:
    """A page of this origin can read the answer and its headers."""
    assert answer.headers["Access-Control-Allow-Origin"] == origin
    assert names(answer.headers, "Access-Control-Expose-Headers") == EXPOSED
    assert "origin" in names(answer.headers, "Vary")
    assert "Access-Control-Allow-Credentials" not in answer.headers


async def preflight(api: Api, path: str, method: str = "GET", origin: str = ORIGIN, asks: str | None = None) -> Answer:
    headers = {"Origin": origin, "Access-Control-Request-Method": method}
    if asks is not None:
        headers["Access-Control-Request-Headers"] = asks
    async with api.client.options(f"{BASE}{path}", headers=headers) as sent:
        return Answer(sent.status, sent.headers, await sent.read())


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
    answer = (await preflight(api, path, method)).held()

    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert method in {name.upper() for name in names(answer.headers, "Access-Control-Allow-Methods")}
    assert answer.headers["Access-Control-Max-Age"] == "7200"
    assert "origin" in names(answer.headers, "Vary")
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "RateLimit" not in answer.headers
    assert answer.headers["X-Request-Id"]


@pytest.mark.parametrize(
    "origin", [ORIGIN, "http://localhost:3000", "https://a.b.c.example:8443", "null", "app://local"]
)
async def test_preflights_of_any_origin(api: Api, origin: str) -> None:
    """A preflight carries no key: no key's list of origins can concern it."""
    answer = (await preflight(api, "/bundles/10/configure", "POST", origin)).held()

    assert answer.headers["Access-Control-Allow-Origin"] == origin


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
    answer = (await preflight(api, "/bundles/10/configure", "POST", asks=asks)).held()

    allowed = names(answer.headers, "Access-Control-Allow-Headers")
    assert {name.strip().lower() for name in asks.split(",")} <= allowed


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
async def test_methods_that_there_are_not_are_not_allowed(api: Api, method: str) -> None:
    """The browser then does not send the request: no such method in the answer, or no leave at all."""
    answer = await preflight(api, "/settings", method)

    assert answer.status in (200, 403, 405)
    assert method not in {name.upper() for name in names(answer.headers, "Access-Control-Allow-Methods")}
    assert answer.status == 200 or answer.json["code"]


@pytest.mark.parametrize("missing", ["Origin", "Access-Control-Request-Method"])
async def test_options_that_are_no_preflight_need_a_key(make_api: MakeApi, missing: str) -> None:
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
async def test_every_answer_can_be_read(api: Api, method: str, path: str, body: object, status: int) -> None:
    assert_readable((await api.request(method, path, body, FROM_SHOP)).held(status))


async def test_an_answer_that_nothing_changed_can_be_read(api: Api) -> None:
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


async def test_the_limit_of_guesses_can_be_read(make_api: MakeApi) -> None:
    api = await make_api()
    answers = [await api.with_key(None).get("/settings", FROM_SHOP) for _ in range(31)]

    assert answers[-1].status == 429
    assert_readable(answers[-1])


async def test_that_an_origin_is_not_allowed_can_be_read_there(make_api: MakeApi, make_key: MakeKey) -> None:
    """CORS lets the page read the refusal; the refusal is the key's."""
    api = await make_api()
    bound = api.with_key(await make_key(origins=("https://only.example",)))

    answer = await bound.get("/settings", {"Origin": "https://evil.example"})

    assert answer.held(403).code == "origin_not_allowed"
    assert_readable(answer, "https://evil.example")


@pytest.mark.parametrize("path", ["/bundles", "/bundles/98", "/nothing"])
async def test_without_an_origin_nothing_is_allowed_but_the_answer_still_varies(api: Api, path: str) -> None:
    """A cache must not hand an answer without CORS headers to a page."""
    answer = await api.get(path)

    assert not [name for name in answer.headers if name.lower().startswith("access-control-")]
    assert "origin" in names(answer.headers, "Vary")


async def test_each_origin_is_answered_with_its_own(api: Api) -> None:
    """Also when the bytes of the answer are those of an earlier one."""
    for origin in ("https://one.example", "https://two.example", "https://one.example"):
        assert_readable((await api.get("/bundles/10", {"Origin": origin})).held(), origin)


async def test_every_kind_of_header_is_exposed_that_answers_have(api: Api) -> None:
    """What an answer below the base path says for a client to read is in the list."""
    answers = [await api.get("/bundles/10", FROM_SHOP), await api.get("/bundles/98", FROM_SHOP)]
    key = {**FROM_SHOP, "Idempotency-Key": "k"}
    answers += [await api.post("/bundles/20/configure", configure_body("1001@1"), key) for _ in range(2)]

    sent = {name.lower() for answer in answers for name in answer.headers}
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
