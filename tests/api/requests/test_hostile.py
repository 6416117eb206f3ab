"""Hostile requests: every fault is reported, none causes a 500, and a client that disconnects causes no logged error."""

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import orjson
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bundlesvc.api.bodies.limits import CONTENT_BYTES, SELECTION_BYTES
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.personalisation import MAX_ANSWERS_BYTES
from bundlesvc.domain.selection import MAX_ITEMS
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import BASE, Api, Client, MakeApi
from tests.api.logs import errors_in
from tests.api.raw import raw_connection, raw_exchange
from tests.api.selection import Json, configure_body, item, items
from tests.api.stored import rows
from tests.running.properties import examples

ACTIONS = ["configure", "price"]
GOOD = orjson.dumps(configure_body("1001@1"))
ITEM = item("1001@1")
SUBSCRIPTION = {"id": 7, "email": "mira@mail.example", "frequency": 1, "unit": "month"}


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


def with_products(text: str) -> bytes:
    """A valid body, except that `text` replaces its products."""
    return b'{"type": "native", "products": ' + text.encode() + b"}"


NO_JSON = [
    pytest.param(b"", id="nothing"),
    pytest.param(b" \n", id="white space"),
    pytest.param(b"{", id="an open brace"),
    pytest.param(b"}", id="a brace"),
    pytest.param(b"{'type': 'native'}", id="single quotes"),
    pytest.param(b'{"type": "native",}', id="a comma too many"),
    pytest.param(b'{"type": "native"} {}', id="two values"),
    pytest.param(b"type=native&products=", id="a form"),
    pytest.param(b"<bundle/>", id="XML"),
    pytest.param(with_products("[NaN]"), id="NaN"),
    pytest.param(with_products("[Infinity]"), id="Infinity"),
    pytest.param(with_products("[-Infinity]"), id="-Infinity"),
    pytest.param(with_products("[01]"), id="a leading zero"),
    pytest.param(with_products("[.5]"), id="a bare fraction"),
    pytest.param(b"[" * 5000 + b"]" * 5000, id="5,000 brackets"),
    pytest.param(b"[" * 5000, id="5,000 open brackets"),
    pytest.param(b'{"a":' * 5000 + b"1" + b"}" * 5000, id="5,000 objects"),
    pytest.param(b"\xff\xfe\xfd", id="no UTF-8"),
    pytest.param(b'{"type": "\xc3\x28"}', id="a broken sequence"),
    pytest.param(b'{"type": "\xc0\xaf"}', id="an overlong sequence"),
    pytest.param(b'{"type": "\xed\xa0\x80"}', id="a surrogate in UTF-8"),
    pytest.param(GOOD.decode().encode("utf-16"), id="UTF-16"),
    pytest.param(GOOD.decode().encode("utf-16-le"), id="UTF-16 without a mark"),
    pytest.param(GOOD.decode().encode("utf-32"), id="UTF-32"),
    pytest.param('{"type": "größe"}'.encode("latin-1"), id="Latin-1"),
    pytest.param(b'{"type": "\\ud800"}', id="a lone surrogate"),
    pytest.param(b'{"type": "\\udfff\\ud800"}', id="surrogates the wrong way round"),
    pytest.param(b'{"type": "a\x00b"}', id="a bare NUL"),
    pytest.param(b'{"type": "a\nb"}', id="a bare line break"),
    pytest.param(b'{"type": "\\x41"}', id="an escape of another language"),
]


@pytest.mark.parametrize("body", NO_JSON)
async def test_body_must_be_json_in_utf_8(api: Api, body: bytes) -> None:
    for action in ACTIONS:
        response = (await api.post(f"/bundles/20/{action}", body)).held(400)

        assert response.code == "invalid_json"
        assert "details" not in response.json


@pytest.mark.parametrize("body", [b"[]", b'""', b"null", b"1", b"1.5", b"true", b'"{}"', b"[{}]", b"1" + b"0" * 30])
async def test_body_must_be_an_object(api: Api, body: bytes) -> None:
    for action in ACTIONS:
        response = (await api.post(f"/bundles/20/{action}", body)).held(400)

        assert (response.code, response.paths) == ("invalid_request", [""])


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "application/json",
        "application/json; charset=utf-8",
        "application/json; charset=utf-16",
        "application/json; charset=no-such-charset",
        'application/json; charset="',
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "nonsense",
        "",
        "; ; =",
    ],
)
async def test_content_type_is_ignored(api: Api, content_type: str | None) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}

    assert (await api.post("/bundles/20/price", GOOD, headers)).held().json["discountedPrice"] == "17.99"
    assert (await api.post("/bundles/20/price", b"{", headers)).held(400).code == "invalid_json"


NO_COUNTRIES: list[object] = ["", "ZZ", "USA", "us ", "\0\0", 1, True, [], {}, ["US"]]
NO_OBJECTS: list[object] = ["", "x", 1, True, [], [{}], [SUBSCRIPTION]]

# fmt: off
SHAPES: list[tuple[Json, list[str]]] = [
    ({}, ["products", "type"]),
    ({"type": None, "products": None}, ["products", "type"]),
    ({"type": 1, "products": 1}, ["products", "type"]),
    ({"type": ["native"], "products": {}}, ["products", "type"]),
    ({"type": True, "products": "1001"}, ["products", "type"]),
    ({"type": "Native", "products": [ITEM]}, ["type"]),
    ({"type": "native\0", "products": [ITEM]}, ["type"]),
    ({"type": "", "products": [ITEM]}, ["type"]),
    ({"type": "native", "products": [None]}, ["products.0"]),
    ({"type": "native", "products": [ITEM, [], "1001", 1, True]}, ["products.1", "products.2", "products.3", "products.4"]),
    ({"type": "native", "products": [{}]}, ["products.0.product", "products.0.section", "products.0.variant"]),
    ({"type": "native", "products": [{"variant": None, "product": None, "section": None}]},
     ["products.0.product", "products.0.section", "products.0.variant"]),
    ({"type": "native", "products": [{"variant": 1001, "product": 100, "section": "1"}]},
     ["products.0.product", "products.0.section", "products.0.variant"]),
    ({"type": "native", "products": [{"variant": True, "product": [], "section": True}]},
     ["products.0.product", "products.0.section", "products.0.variant"]),
    ({"type": "native", "products": [{**ITEM, "section": -1.0}]}, ["products.0.section"]),
    ({"type": "native", "products": [{**ITEM, "section": 1.5}]}, ["products.0.section"]),
    ({"type": "native", "products": [{**ITEM, "section": -1}]}, ["products.0.section"]),
    ({"type": "native", "products": [{**ITEM, "section": 2**53}]}, ["products.0.section"]),
    ({"type": "native", "products": [{**ITEM, "section": 10**30}]}, ["products.0.section"]),
    ({"type": "native", "products": [{**ITEM, "section": {}}]}, ["products.0.section"]),
    *(({"type": "native", "products": [{**ITEM, "variant": text}]}, ["products.0.variant"]) for text in (
        "", " ", "0", "01001", "+1001", "-1001", "1001 ", " 1001", "1001.0", "1e3", "1_001", "one", "1001\0", "1001\n",
        "9007199254740992", "1" + "0" * 30, "\u0661\u0660\u0660\u0661", "gid://platform/ProductVariant/", "gid://platform/ProductVariant/0",
        "gid://platform/Product/1001", "gid://shopify/ProductVariant/1001", "GID://platform/ProductVariant/1001",
        "gid://platform/ProductVariant/gid://platform/ProductVariant/1001", "\U0001f600")),
    ({"type": "native", "products": [{**ITEM, "product": "gid://platform/ProductVariant/100"}]}, ["products.0.product"]),
    *(({"type": "native", "products": [ITEM], "countryCode": country}, ["countryCode"])
      for country in NO_COUNTRIES),
    *(({"type": "native", "products": [ITEM], "bundleContent": content}, ["bundleContent"])
      for content in NO_OBJECTS),
    *(({"type": "native", "products": [ITEM], "subscription": subscription}, ["subscription"])
      for subscription in NO_OBJECTS),
    ({"type": "native", "products": [ITEM], "subscription": {}},
     ["subscription.email", "subscription.frequency", "subscription.id", "subscription.unit"]),
    ({"type": "native", "products": [ITEM], "subscription": {"id": "7", "email": 1, "frequency": "1", "unit": 1}},
     ["subscription.email", "subscription.frequency", "subscription.id", "subscription.unit"]),
    ({"type": "native", "products": [ITEM], "subscription": {"id": True, "email": None, "frequency": 1.5, "unit": None}},
     ["subscription.email", "subscription.frequency", "subscription.id", "subscription.unit"]),
    ({"type": "native", "products": [ITEM], "subscription": SUBSCRIPTION | {"id": 10**30}}, ["subscription.id"]),
    # Several faults at once.
    ({"type": 7, "products": [ITEM, {"variant": 1, "product": "x"}, None], "countryCode": "ZZ", "subscription": {"id": 7},
      "bundleContent": 1, "visitorId": "x"},
     ["bundleContent", "countryCode", "products.1.product", "products.1.section", "products.1.variant", "products.2",
      "subscription.email", "subscription.frequency", "subscription.unit", "type", "visitorId"]),
]
# fmt: on


@pytest.mark.parametrize(("body", "paths"), SHAPES)
async def test_every_fault_of_a_shape_is_named(api: Api, body: Json, paths: list[str]) -> None:
    """Every fault in the shape of a body is reported. `price` reads fewer fields than `configure`."""
    sent = json.dumps(body).encode()  # unlike orjson, json writes numbers of any size
    not_read_by_price = ("type", "visitorId", "subscription.email")
    of_price = [path for path in paths if path not in not_read_by_price]

    configured = (await api.post("/bundles/20/configure", sent)).held(400)
    priced = await api.post("/bundles/20/price", sent)

    assert (configured.code, sorted(configured.paths)) == ("invalid_request", paths)
    assert all(detail.keys() >= {"path", "code", "message"} for detail in configured.json["details"])
    if of_price:
        assert (priced.held(400).code, sorted(priced.paths)) == ("invalid_request", of_price)
    else:
        assert priced.status == 200


@pytest.mark.parametrize("key", ["type", "products", "countryCode", "subscription", "bundleContent"])
async def test_duplicate_json_key_does_not_bypass_a_check(api: Api, key: str) -> None:
    """A duplicate JSON key does not bypass a check: the key's last value is both checked and used (RFC 8259, 4)."""
    bad, good = b'"%s": 7' % key.encode(), GOOD[1:-1]
    last_is_bad = b"{" + good + b", " + bad + b"}"

    assert (await api.post("/bundles/20/configure", last_is_bad)).held(400).code == "invalid_request"
    if key in ("type", "products"):
        assert (await api.post("/bundles/20/configure", b"{" + bad + b", " + good + b"}")).status == 200


async def test_up_to_a_hundred_faults_are_listed(api: Api) -> None:
    body = {"type": "native", "products": [{"variant": 1, "product": 1, "section": "1"}] * 1000, "countryCode": 7}

    response = (await api.post("/bundles/20/configure", body)).held(400)

    assert (response.code, len(response.paths)) == ("invalid_request", 100)


# Sizes.


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(GOOD + b" " * (SELECTION_BYTES - len(GOOD)), 200, id="the limit"),
        pytest.param(GOOD + b" " * (SELECTION_BYTES - len(GOOD) + 1), 413, id="a byte more"),
        pytest.param(b" " * 8 * SELECTION_BYTES, 413, id="much more"),
        pytest.param(b"[" * 8 * SELECTION_BYTES, 413, id="brackets"),
    ],
)
async def test_bodies_of_selections_have_a_limit(api: Api, action: str, body: bytes, status: int) -> None:
    response = await api.post(f"/bundles/20/{action}", body)

    assert response.status == status
    assert status == 200 or response.code == "body_too_large"
    assert (await api.get("/settings")).status == 200


@pytest.mark.parametrize("more", [0, 1])
async def test_contents_have_a_small_limit(api: Api, more: int) -> None:
    response = await api.post("/embed/api/v1/content", b" " * (CONTENT_BYTES + more))

    assert response.code == ("body_too_large" if more else "invalid_json")


@pytest.mark.parametrize("action", ACTIONS)
async def test_largest_selection_is_within_the_limit(api: Api, action: str) -> None:
    """The largest selection is within the size limit: 200 items with the longest ids and all answers, indented and fully
    escaped."""
    answer = "\u0001" * (MAX_ANSWERS_BYTES // MAX_ITEMS)
    one = {
        "variant": f"gid://platform/ProductVariant/{MAX_ID}",
        "product": f"gid://platform/Product/{MAX_ID}",
        "section": MAX_ID,
        "personalisation": {"engraving-on-the-lid": answer},
    }
    body = json.dumps({**configure_body(), "products": [one] * MAX_ITEMS}, indent=4).encode()

    response = await api.post(f"/bundles/20/{action}", body)

    assert len(body) > SELECTION_BYTES // 2
    assert response.code not in ("body_too_large", "invalid_request", "invalid_json")


async def chunks(*parts: bytes) -> Any:
    for part in parts:
        yield part
        await asyncio.sleep(0)


async def test_body_limit_applies_to_bodies_of_unknown_length(api: Api) -> None:
    headers = {"Authorization": f"Bearer {api.key}"}
    path = f"{BASE}/bundles/20/price"

    async with api.client.post(path, data=chunks(GOOD[:10], GOOD[10:]), headers=headers) as response:
        assert response.status == 200
    async with api.client.post(path, data=chunks(*[b" " * 65536] * 17), headers=headers) as response:
        assert response.status == 413
        assert (await response.json())["code"] == "body_too_large"


# Malformed HTTP requests.


def request_text(api: Api, line: str, *headers: str) -> str:
    own = f"Authorization: Bearer {api.key}"
    end = [] if "" in headers else ["", ""]
    return "\r\n".join([f"{line} HTTP/1.1", "Host: x", "Connection: close", own, *headers, *end])


BIG = "x" * 20_000
NOTHING = "Content-Length: 0"


@pytest.mark.parametrize(
    ("line", "headers", "allowed"),
    [
        pytest.param(f"GET {BASE}/settings", ["Expect: a miracle"], (200, 400), id="an unknown expectation"),
        pytest.param(f"POST {BASE}/bundles/20/price", ["Expect: a miracle", NOTHING], (400,), id="POST with one"),
        pytest.param(f"GET {BASE}/nothing", ["Expect: a miracle"], (400, 404), id="an unknown path with one"),
        pytest.param(f"GET {BASE}/bundles/{'9' * 5000}", [], (400,), id="a long id"),
        pytest.param(f"GET {BASE}/settings?x=%FF%00%ZZ", [], (200, 400), id="a broken query"),
        pytest.param(f"GET {BASE}/bundles/10/products?countryCode=%FF", [], (400,), id="a query that is no UTF-8"),
        pytest.param(f"GET {BASE}/%FF%FE", [], (400, 404), id="a path that is no UTF-8"),
        pytest.param(f"GET {BASE}/bundles/%00", [], (400,), id="NUL in a path"),
        pytest.param(f"GET {BASE}/%%%", [], (400, 404), id="percent signs"),
        pytest.param(f"GET {BASE}/settings", ["Range: bytes=0-1"], (200,), id="a range"),
        pytest.param(f"GET {BASE}/settings", ["Upgrade: websocket", "Connection: upgrade"], (200, 400), id="an upgrade"),
        pytest.param(f"GET {BASE}/settings", ["If-Modified-Since: nonsense", "Accept: image/png"], (200,), id="odd conditions"),
        pytest.param(f"GET {BASE}/settings", ["X-Forwarded-For: \xff", "Forwarded: ;;"], (200, 400), id="odd proxies"),
        pytest.param(f"GET {BASE}/settings", ["Content-Length: 5", "", "12345"], (200,), id="GET with a body"),
        pytest.param(f"GET {BASE}/settings", ["Origin: https://\xff.example"], (200, 400), id="an origin with a bare byte"),
        pytest.param(f"GET {BASE}/settings", ["X-Request-Id: \xff"], (200, 400), id="a request id with a bare byte"),
        pytest.param(f"GET {BASE}/settings", ["If-None-Match: \xff"], (200, 400), id="a tag with a bare byte"),
        pytest.param(f"POST {BASE}/bundles/20/configure", ["Idempotency-Key: \xff", NOTHING], (400,), id="a bare byte"),
    ],
)  # fmt: skip
async def test_odd_requests_get_a_documented_response(
    api: Api, line: str, headers: list[str], allowed: tuple[int, ...]
) -> None:
    """Odd requests get a status that the API documents, a JSON body and a request id (docs/contract.md#errors)."""
    status, answered, body = await raw_exchange(api.client, request_text(api, line, *headers))

    assert status in allowed
    assert answered["content-type"].startswith("application/json")
    assert answered["x-request-id"]
    assert orjson.loads(body)


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param(["Origin: https://\xff.example", "Access-Control-Request-Method: GET"], id="origin"),
        pytest.param(["Origin: x", "Access-Control-Request-Method: \xff"], id="method"),
        pytest.param(["Origin: x", "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: \xff"], id="headers"),
        pytest.param(["Origin: x", "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: ,,"], id="no names"),
        pytest.param(["Origin: x", "Access-Control-Request-Method: "], id="no method"),
    ],
)  # fmt: skip
async def test_odd_preflights_cause_no_internal_error(
    api: Api, caplog: pytest.LogCaptureFixture, headers: list[str]
) -> None:
    line = f"OPTIONS {BASE}/settings HTTP/1.1"
    status, _, body = await raw_exchange(
        api.client, "\r\n".join([line, "Host: x", "Connection: close", *headers, "", ""])
    )

    assert status in (200, 400, 403, 405)
    assert status == 200 or orjson.loads(body)["code"]
    assert errors_in(caplog) == []


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(f"GET {BASE}/settings?{BIG} HTTP/1.1\r\nHost: x\r\n\r\n", id="a long line"),
        pytest.param(f"GET {BASE}/settings HTTP/1.1\r\nHost: x\r\nX-Big: {BIG}\r\n\r\n", id="a long header"),
        pytest.param(f"GET {BASE}/settings HTTP/1.1\r\nHost: x\r\nBad Name: x\r\n\r\n", id="a bad header name"),
        pytest.param(f"GET {BASE}/settings HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n", id="NUL in a header"),
        pytest.param(f"BREW {BASE}/settings HTTP/1.1\r\nHost: x\r\n\r\n", id="an unknown method"),
        pytest.param(f"POST {BASE}/bundles/20/price HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", id="a bad length"),
        pytest.param(f"POST {BASE}/bundles/20/price HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", id="a length below 0"),
        pytest.param(f"GET {BASE}/settings HTTP/9.9\r\nHost: x\r\n\r\n", id="another version"),
        pytest.param(f"GET {BASE}/bundles/\xff HTTP/1.1\r\nHost: x\r\n\r\n", id="a bare byte in a path"),
        pytest.param("nonsense\r\n\r\n", id="nonsense"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", id="TLS"),
        pytest.param(
            f"POST {BASE}/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            id="two lengths",
        ),
    ],
)  # fmt: skip
async def test_malformed_http_is_refused(
    make_api: MakeApi, caplog: pytest.LogCaptureFixture, request_: str | bytes
) -> None:
    """aiohttp's server refuses malformed HTTP, and no internal error is logged."""
    api = await make_api()
    status, _, body = await raw_exchange(api.client, request_)

    assert status in (400, 403, 404, 505)
    assert b"Traceback" not in body
    assert errors_in(caplog) == []


# Clients that disconnect.


async def disconnects(client: Client) -> int:
    async with client.get("/metrics") as response:
        found = re.search(r"^bundlesvc_disconnects_total (\d+)", await response.text(), re.MULTILINE)
    assert found
    return int(found[1])


def head(api: Api, *headers: str, path: str = "/bundles/20/configure") -> bytes:
    own = ["Host: x", f"Authorization: Bearer {api.key}", *headers]
    return "\r\n".join([f"POST {BASE}{path} HTTP/1.1", *own, "", ""]).encode()


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(("Content-Length: 1000", GOOD[:20]), id="in the middle of a body"),
        pytest.param(("Content-Length: 1000", b""), id="before the body"),
        pytest.param(("Transfer-Encoding: chunked", b"5\r\n12345\r\n"), id="between chunks"),
        pytest.param(("Transfer-Encoding: chunked", b"ff\r\n12345"), id="in the middle of a chunk"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
async def test_disconnected_client_is_counted_and_not_an_error(
    make_api: MakeApi,
    caplog: pytest.LogCaptureFixture,
    database: Database,
    sent: tuple[str, bytes],
    action: str,
    *,
    reset: bool,
) -> None:
    api = await make_api()
    before = await disconnects(api.client)
    with capture_logs() as lines:
        async with raw_connection(api.client) as (_, writer):
            writer.write(head(api, sent[0], path=f"/bundles/20/{action}") + sent[1])
            await writer.drain()
            await asyncio.sleep(0.03)  # the handler waits for the rest of the body
            if reset:
                writer.transport.abort()
        for _ in range(100):
            if await disconnects(api.client) > before:
                break
            await asyncio.sleep(0.01)

    assert await disconnects(api.client) == before + 1
    assert [line for line in lines if line["log_level"] not in ("info", "debug")] == []
    assert errors_in(caplog) == []
    assert await rows(database, configured_bundles) == []
    assert (await api.get("/settings")).status == 200


async def test_client_that_does_not_wait_causes_no_error(
    make_api: MakeApi, caplog: pytest.LogCaptureFixture, database: Database
) -> None:
    """A client that disconnects before the response causes no error; its bundle is stored, because the request was complete."""
    api = await make_api()
    with capture_logs() as lines:
        for _ in range(5):
            async with raw_connection(api.client) as (_, writer):
                writer.write(head(api, f"Content-Length: {len(GOOD)}") + GOOD)
                await writer.drain()
                writer.transport.abort()
        for _ in range(100):
            if len(await rows(database, configured_bundles)) == 5:
                break
            await asyncio.sleep(0.01)

    assert [line for line in lines if line["log_level"] not in ("info", "debug")] == []
    assert errors_in(caplog) == []
    assert (await api.get("/settings")).status == 200


# Arbitrary values.

TEXT = st.text(max_size=8) | st.sampled_from(
    ["native", "1001", "100", "US", "month", "7", "", "\0", "gid://platform/Product/100"]
)
NUMBERS = st.integers() | st.sampled_from([0, 1, 7, -1, 2**53, 2**63, 2**64, 10**30]) | st.floats()
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
IDS = JSON | st.sampled_from(["1001", "2001", "100", "200", "gid://platform/ProductVariant/1001"])
ITEMS = JSON | st.lists(
    st.fixed_dictionaries({}, optional={"variant": IDS, "product": IDS, "section": JSON, "personalisation": JSON})
    | st.sampled_from(items("1001@1", "2001@2", "6001@0", "5001@3")),
    max_size=5,
)
BODIES = JSON | st.fixed_dictionaries(
    {},
    optional={
        "type": JSON | st.just("native"),
        "products": ITEMS,
        "countryCode": JSON | st.just("US"),
        "subscription": JSON | st.fixed_dictionaries({}, optional=dict.fromkeys(SUBSCRIPTION, JSON)) | st.just(SUBSCRIPTION),
        "bundleContent": JSON | st.fixed_dictionaries({"conditionsDiscount": JSON}),
        "visitorId": JSON,
    },
)  # fmt: skip
FUZZ = examples(
    150,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@FUZZ
@given(body=BODIES, bundle=st.sampled_from([10, 20, 40, 50, 60, 80]), action=st.sampled_from(ACTIONS))
async def test_any_json_causes_no_internal_error(api: Api, body: object, bundle: int, action: str) -> None:
    sent = json.dumps(body, ensure_ascii=False).encode(errors="surrogatepass")

    response = await api.post(f"/bundles/{bundle}/{action}", sent)

    assert response.status in (200, 400)


@FUZZ
@given(body=st.binary(max_size=60), coding=st.sampled_from([None, "identity", "gzip"]))
async def test_any_bytes_cause_no_internal_error(api: Api, body: bytes, coding: str | None) -> None:
    headers: Mapping[str, str] = {} if coding is None else {"Content-Encoding": coding}

    response = await api.post("/bundles/20/price", body, headers)

    assert response.status == 400


@FUZZ
@given(
    country=st.none() | st.text(max_size=3),
    tag=st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20),
    id_=st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="/?#%"), min_size=1, max_size=18),
)
async def test_any_query_or_header_causes_no_internal_error(api: Api, country: str | None, tag: str, id_: str) -> None:
    query = "" if country is None else f"?countryCode={quote(country, safe='')}"
    headers = {"If-None-Match": tag, "X-Request-Id": tag, "Origin": tag, "Accept-Encoding": tag}

    for path in ("/bundles", f"/bundles/10/products{query}", f"/bundles/{quote(id_, safe='')}"):
        assert (await api.get(path, headers)).status in (200, 304, 400, 404)


async def test_hostile_requests_are_not_logged_as_errors(make_api: MakeApi, caplog: pytest.LogCaptureFixture) -> None:
    api = await make_api()
    with capture_logs() as lines:
        for case in NO_JSON:
            await api.post("/bundles/20/configure", case.values[0])
        for body, _ in SHAPES:
            await api.post("/bundles/20/configure", json.dumps(body).encode())

    assert [line for line in lines if line["log_level"] not in ("info", "debug")] == []
    assert errors_in(caplog) == []
