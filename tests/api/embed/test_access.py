"""Access to the embed API: scopes and CORS (docs/contract.md#keys)."""

import pytest

from tests.api.conftest import BASE, Api, Response
from tests.api.embed.conftest import EMBED
from tests.api.selection import configure_body
from tests.conftest import MakeKey

ORIGIN = "https://shop.example"
NOTIFY = {"variant": "2002", "customer_email": "mira@mail.example", "bundle_name": "Box"}
SELECTION = configure_body("1001@2", "6001@0")
EMBED_CALLS: list[tuple[str, str, object]] = [
    ("GET", f"{EMBED}/bundle?id=10", None),
    ("GET", f"{EMBED}/settings", None),
    ("POST", f"{EMBED}/bundle/10/product", SELECTION),
    ("GET", f"{EMBED}/bundle/30/variant/1", None),
    ("POST", f"{EMBED}/content", {"bundles": []}),
    ("POST", f"{EMBED}/notify", NOTIFY),
]
MAIN_CALLS: list[tuple[str, str, object]] = [
    ("GET", "/bundles", None),
    ("GET", "/bundles/10", None),
    ("GET", "/bundles/10/products", None),
    ("GET", "/settings", None),
    ("POST", "/bundles/10/price", SELECTION),
    ("POST", "/bundles/10/configure", SELECTION),
]


@pytest.mark.parametrize(("scope", "refused"), [("headless", EMBED_CALLS), ("embed", MAIN_CALLS)])
async def test_key_of_one_api_does_not_open_the_other(
    api: Api, make_key: MakeKey, scope: str, refused: list[tuple[str, str, object]]
) -> None:
    own = api.with_key(await make_key(scopes=(scope,)))
    admitted = MAIN_CALLS if refused is EMBED_CALLS else EMBED_CALLS

    assert [(await own.request(*call)).held(403).code for call in refused] == ["key_scope"] * len(refused)
    assert {(await own.request(*call)).status for call in admitted} <= {200, 404}
    assert [(await own.request(*call)).status for call in admitted if "variant" not in call[1]] == [200] * sum(
        "variant" not in call[1] for call in admitted
    )


async def test_scope_is_checked_before_the_request(api: Api, make_key: MakeKey) -> None:
    own = api.with_key(await make_key(scopes=("headless",)))
    bad = [
        await own.get(f"{EMBED}/bundle?id=0"),
        await own.get(f"{EMBED}/bundle/0/variant/0"),
        await own.post(f"{EMBED}/content", b"{"),
        await own.get(f"{EMBED}/nothing"),
    ]

    assert [response.held(403).code for response in bad] == ["key_scope"] * len(bad)


def names(response: Response, header: str) -> set[str]:
    return {name.strip().lower() for name in response.headers.get(header, "").split(",") if name.strip()}


def assert_readable(response: Response) -> None:
    """Assert that a page in a browser can read the response and the headers that it needs."""
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert {"etag", "content-language", "idempotent-replayed", "x-request-id"} <= names(
        response, "Access-Control-Expose-Headers"
    )
    assert "origin" in names(response, "Vary")
    assert "Access-Control-Allow-Credentials" not in response.headers


@pytest.mark.parametrize(("method", "path", "body"), EMBED_CALLS)
async def test_pages_can_read_every_response(api: Api, method: str, path: str, body: object) -> None:
    from_page = {"Origin": ORIGIN}
    response = await api.request(method, path, body, from_page)
    forbidden = await api.with_key(None).request(method, path, body, from_page)

    assert (response.status in (200, 404), forbidden.status) == (True, 403)
    assert_readable(response)
    assert_readable(forbidden)


@pytest.mark.parametrize("path", ["/bundle", "/bundle?id=98", "/bundle/0/variant/1", "/nothing"])
async def test_pages_can_read_errors(shared_api: Api, path: str) -> None:
    response = await shared_api.get(EMBED + path, {"Origin": ORIGIN})

    assert response.status in (400, 404)
    assert_readable(response)


async def test_pages_can_read_a_304(api: Api) -> None:
    path, page = f"{EMBED}/bundle?id=10", {"Origin": ORIGIN, "Accept-Encoding": "identity"}
    tag = (await api.get(path, page)).held().headers["ETag"]

    assert_readable((await api.get(path, {**page, "If-None-Match": tag})).held(304))


@pytest.mark.parametrize(("method", "path", "body"), EMBED_CALLS)
async def test_preflights(shared_api: Api, method: str, path: str, body: object) -> None:
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    }
    async with shared_api.client.options(f"{BASE}{path}", headers=asked) as sent:
        response = Response(sent.status, sent.headers, await sent.read())

    assert response.status == 200
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert method in response.headers["Access-Control-Allow-Methods"]
    assert {"authorization", "content-type", "idempotency-key"} <= names(response, "Access-Control-Allow-Headers")


async def test_origins_of_a_key_apply(api: Api, make_key: MakeKey) -> None:
    own = api.with_key(await make_key(origins=(ORIGIN,)))

    assert (await own.get(f"{EMBED}/settings", {"Origin": ORIGIN})).status == 200
    response = (await own.get(f"{EMBED}/settings", {"Origin": "https://evil.example"})).held(403)
    assert response.code == "origin_not_allowed"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("POST", "/bundle", "GET"), ("GET", "/content", "POST"), ("GET", "/notify", "POST"), ("GET", "/bundle/10/product", "POST")],
)  # fmt: skip
async def test_other_methods(shared_api: Api, method: str, path: str, allowed: str) -> None:
    response = (await shared_api.request(method, EMBED + path, b"{}" if method == "POST" else None)).held(405)

    assert response.code == "method_not_allowed"
    assert allowed in response.headers["Allow"]
