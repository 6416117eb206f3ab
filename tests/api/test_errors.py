"""Errors: response formats, causes, request ids, and the log (docs/contract.md#errors)."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing

import pytest

from bundlesvc.api.app_keys import SHOPS
from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    StorageUnavailable,
)
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import Product
from bundlesvc.domain.rate_limit import Bucket, BucketState
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import BASE, Api, MakeApi
from tests.api.logs import logs
from tests.api.selection import Json, configure_body, price_body
from tests.api.stored import rows
from tests.conftest import MakeKey

SECRET = "the password is swordfish"
MONTHLY = {"id": 7, "email": "mira@mail.example", "frequency": 1, "unit": "month"}
SEVERAL = configure_body("1001@1", type="multiple-products")


class Failing(EmbeddedPlatform):
    """A platform that fails when products are read."""

    def __init__(self, database: Database, error: BaseException) -> None:
        super().__init__(database, RevisionCache())
        self._error = error

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        raise self._error


class FailingBuckets:
    """Token buckets that always fail."""

    waits = False

    def take_now(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        raise RuntimeError(SECRET)

    def give_back_now(self, buckets: Sequence[Bucket]) -> None:
        raise RuntimeError(SECRET)

    async def aclose(self) -> None: ...

    async def take(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        raise RuntimeError(SECRET)

    async def give_back(self, buckets: Sequence[Bucket]) -> None:
        raise RuntimeError(SECRET)


class FailingCipher:
    """A cipher that always fails."""

    def seal(self, claims: Mapping[str, object], now: int) -> str:
        raise RuntimeError(SECRET)

    def unseal(self, token: str) -> dict[str, object]:
        raise RuntimeError(SECRET)


NEEDS_PRODUCTS: list[tuple[str, str, object]] = [
    ("GET", "/bundles/10/products", None),
    ("POST", "/bundles/20/price", price_body("1001@1")),
    ("POST", "/bundles/20/configure", configure_body("1001@1")),
]

UNEXPECTED: list[Callable[[], BaseException]] = [
    lambda: RuntimeError(SECRET),
    lambda: KeyError(SECRET),
    lambda: AssertionError(SECRET),
    lambda: OSError(5, SECRET),
    lambda: RecursionError(SECRET),
    lambda: sqlite3.OperationalError(SECRET),
    lambda: ConnectionResetError(SECRET),
    lambda: BrokenPipeError(SECRET),
    lambda: TimeoutError(SECRET),
    lambda: StopAsyncIteration(SECRET),
]
"""Errors that indicate a fault in the service itself, because adapters let none of them through."""


@pytest.mark.parametrize("error", UNEXPECTED, ids=lambda error: type(error()).__name__)
async def test_internal_error_is_a_500_without_details(
    make_api: MakeApi, database: Database, error: Callable[[], BaseException]
) -> None:
    api = await make_api(platform=Failing(database, error()))

    for number, (method, path, body) in enumerate(NEEDS_PRODUCTS):
        name = f"find-me-{number}"
        with logs() as written:
            response = await api.request(method, path, body, {"X-Request-Id": name, "Origin": "https://a.example"})

        assert response.held(500).json.keys() == {"error", "code", "requestId"}
        assert (response.code, response.json["requestId"]) == ("internal_error", name)
        assert "swordfish" not in response.body.decode() + str(response.headers)
        assert "Traceback" not in response.body.decode()
        assert response.headers["Content-Type"].startswith("application/json")
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-RateLimit-Remaining"]
        assert response.headers["Access-Control-Allow-Origin"] == "https://a.example"

        found = [line for line in written.lines if line.get("requestId") == name]
        faults = [line for line in found if line["level"] == "error"]
        assert len(faults) == 1
        assert "Traceback (most recent call last)" in str(faults[0])
        assert SECRET in str(faults[0])
        assert [line["status"] for line in found if line["event"] == "request"] == [500]


async def test_internal_error_before_a_handler_is_a_500(make_api: MakeApi) -> None:
    api = await make_api(buckets=FailingBuckets())

    with logs() as written:
        response = await api.get("/settings")

    assert response.held(500).code == "internal_error"
    assert SECRET in str([line for line in written.lines if line["level"] == "error"])


@pytest.mark.parametrize("log_format", ["json", "console"])
async def test_internal_error_is_logged_without_key_and_body(
    make_api: MakeApi, database: Database, log_format: str
) -> None:
    """An internal error is logged without the key, the body or the values of variables in the traceback."""
    api = await make_api(platform=Failing(database, RuntimeError(SECRET)))
    body = configure_body("1001@1", subscription=MONTHLY)

    with logs(log_format) as written:
        response = await api.post("/bundles/50/configure", body, {"X-Request-Id": "find-me"})

    response.held(500)
    assert SECRET in written.text
    assert "find-me" in written.text
    assert str(api.key)[16:] not in written.text.replace("\n", "")
    assert "mira@mail.example" not in written.text


async def test_internal_error_while_configuring_stores_nothing(make_api: MakeApi, database: Database) -> None:
    api = await make_api(discounts=FailingCipher())
    key = {"Idempotency-Key": "k"}

    for _ in range(2):
        response = await api.post("/bundles/20/configure", configure_body("1001@1"), key)
        assert response.held(500).code == "internal_error"
        assert "Idempotent-Replayed" not in response.headers

    assert await rows(database, configured_bundles) == []


async def test_internal_error_is_not_cached(make_api: MakeApi, database: Database) -> None:
    """An internal error is not cached: the next request succeeds."""
    platform = Failing(database, RuntimeError(SECRET))
    api = await make_api(platform=platform)
    assert (await api.get("/bundles/10/products")).status == 500

    platform.products = EmbeddedPlatform(database, RevisionCache()).products  # type: ignore[method-assign]

    assert (await api.get("/bundles/10/products")).status == 200


async def test_internal_errors_are_counted(make_api: MakeApi, database: Database) -> None:
    api = await make_api(platform=Failing(database, RuntimeError(SECRET)))
    await api.get("/bundles/10/products")

    async with api.client.get("/metrics") as response:
        metrics = await response.text()

    found = re.findall(r'^bundlesvc_requests_total\{.*status="500".*\} (\S+)$', metrics, re.MULTILINE)
    assert [float(count) for count in found] == [1.0]
    assert "swordfish" not in metrics


# Failures of the platform.


class Asleep(PlatformUnavailable):
    """A subclass of PlatformUnavailable such as an adapter may define."""


PLATFORM = [
    (PlatformFailed, 502, "platform_error"),
    (PlatformUnavailable, 503, "platform_unavailable"),
    (PlatformNotConnected, 503, "platform_not_connected"),
    (PlatformTimeout, 504, "platform_timeout"),
    (Asleep, 503, "platform_unavailable"),
]


@pytest.mark.parametrize(("error", "status", "code"), PLATFORM)
async def test_platform_failure_has_its_own_error_code(
    make_api: MakeApi, database: Database, error: type[Exception], status: int, code: str
) -> None:
    api = await make_api(platform=Failing(database, error()))

    responses = [await api.request(*request) for request in NEEDS_PRODUCTS]

    for response in responses:
        assert response.held(status).json.keys() == {"error", "code", "requestId"}
        assert response.code == code
        assert int(response.headers["Retry-After"]) >= 1
        assert response.headers["Cache-Control"] == "no-store"
    assert await rows(database, configured_bundles) == []


UNCONNECTED = """
shop: {handle: demo, headlessEnabled: true, platform: {kind: shopify, domain: demo.myshop.example}}
bundles:
  - {id: 20, name: Live, type: native, platformProductId: "900", parentVariantId: "9001",
     sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: "100"}]}]}
"""


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/bundles/20", None),
        ("GET", "/bundles/20/products", None),
        ("GET", "/bundles/20/products?countryCode=US", None),
        ("GET", "/settings", None),
        ("POST", "/bundles/20/price", price_body("1001@1")),
        ("POST", "/bundles/20/configure", configure_body("1001@1")),
    ],
)
async def test_shop_without_a_connection_is_a_503(make_api: MakeApi, method: str, path: str, body: object) -> None:
    api = await make_api(UNCONNECTED)

    response = (await api.request(method, path, body)).held(503)

    assert response.code == "platform_not_connected"
    assert int(response.headers["Retry-After"]) >= 1


async def test_requests_that_need_no_platform_work_without_it(make_api: MakeApi) -> None:
    api = await make_api(UNCONNECTED)

    assert [bundle["name"] for bundle in (await api.get("/bundles")).held().json] == ["Live"]
    assert (await api.get("/bundles/98/products")).held(404).code == "not_found"
    assert (await api.post("/bundles/20/price", b"{")).held(400).code == "invalid_json"


# Database failures.


def execute(settings: Settings, statement: str) -> None:
    with closing(sqlite3.connect(settings.database)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    ("table", "method", "path", "body"),
    [
        pytest.param("bundles", "GET", "/bundles", None, id="the list"),
        pytest.param("bundles", "GET", "/bundles/10", None, id="a bundle"),
        pytest.param("products", "GET", "/bundles/10/products", None, id="products"),
        pytest.param("markets", "GET", "/bundles/10/products?countryCode=US", None, id="markets"),
        pytest.param("bundles", "POST", "/bundles/20/price", price_body("1001@1"), id="price"),
        pytest.param("configured_bundles", "POST", "/bundles/20/configure", configure_body("1001@1"), id="configure"),
        pytest.param("ghost_variants", "POST", "/bundles/30/configure", SEVERAL, id="ghost variant"),
        pytest.param("catalogue_ghosts", "POST", "/bundles/30/configure", SEVERAL, id="ghost variant of the platform"),
    ],
)  # fmt: skip
async def test_database_failure_is_a_503(
    api: Api, settings: Settings, table: str, method: str, path: str, body: object
) -> None:
    execute(settings, f"ALTER TABLE {table} RENAME TO gone")

    response = (await api.request(method, path, body)).held(503)

    assert response.json.keys() == {"error", "code", "requestId"}
    assert response.code == "storage_unavailable"
    assert int(response.headers["Retry-After"]) >= 1
    assert table not in response.body.decode()
    execute(settings, f"ALTER TABLE gone RENAME TO {table}")
    assert (await api.request(method, path, body)).status == 200


async def test_nothing_is_configured_when_the_idempotency_key_cannot_be_looked_up(api: Api, settings: Settings) -> None:
    """Nothing is configured when the idempotency key cannot be looked up, because it may have been used before."""
    execute(settings, "ALTER TABLE idempotency_keys RENAME TO gone")

    response = await api.post("/bundles/20/configure", configure_body("1001@1"), {"Idempotency-Key": "k"})

    assert response.held(503).code == "storage_unavailable"


async def test_key_that_cannot_be_looked_up_is_a_503(api: Api, settings: Settings) -> None:
    execute(settings, "ALTER TABLE api_keys RENAME TO gone")

    unknown = api.with_key(f"bnd_live_{'x' * 43}")

    assert (await unknown.get("/settings")).held(503).code == "storage_unavailable"
    assert (await api.get("/settings")).status == 200  # a cached key needs no database


@asynccontextmanager
async def locked(settings: Settings) -> AsyncIterator[None]:
    """Hold a write lock from another connection while the context is open."""
    with closing(sqlite3.connect(settings.database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


async def test_long_lock_on_the_database_is_a_503(
    make_api: MakeApi, settings: Settings, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    """While the database stays locked, configure responds with 503: nothing is stored, and reads continue."""
    monkeypatch.setattr("bundlesvc.storage.database.sqlite.connections.BUSY_TIMEOUT_MS", 50)
    api = await make_api()
    (await api.get("/bundles/10")).held()

    async with locked(settings):
        refused = await api.post("/bundles/20/configure", configure_body("1001@1"), {"Idempotency-Key": "k"})
        read = await api.get("/bundles/20")
        priced = await api.post("/bundles/20/price", price_body("1001@1"))

    assert refused.held(503).code == "storage_unavailable"
    assert int(refused.headers["Retry-After"]) >= 1
    assert (read.status, priced.status) == (200, 200)
    assert await rows(database, configured_bundles) == []
    again = await api.post("/bundles/20/configure", configure_body("1001@1"), {"Idempotency-Key": "k"})
    assert "Idempotent-Replayed" not in again.held().headers


async def test_request_waits_for_a_short_lock(api: Api, settings: Settings) -> None:
    async with locked(settings):
        waiting = asyncio.create_task(api.post("/bundles/20/configure", configure_body("1001@1")))
        await asyncio.sleep(0.05)

    assert (await waiting).status == 200


async def test_readiness_follows_the_database(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async with api.client.get("/readyz") as response:
        assert (response.status, await response.json()) == (200, {"status": "ready"})

    async def gone() -> None:
        raise StorageUnavailable

    monkeypatch.setattr(api.client.app[SHOPS], "check_database", gone)
    async with api.client.get("/readyz") as response:
        body = await response.json()
        assert (response.status, body["code"]) == (503, "storage_unavailable")
        assert response.headers["Retry-After"]
    async with api.client.get("/healthz") as response:
        assert (response.status, await response.json()) == (200, {"status": "ok"})


# The shape of error responses, and their request ids.


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "more"),
    [
        pytest.param("GET", "/bundles/0", None, 400, {"details"}, id="400 of a path"),
        pytest.param("POST", "/bundles/20/price", b"{", 400, set(), id="400 of JSON"),
        pytest.param("POST", "/bundles/20/price", {}, 400, {"details"}, id="400 of a shape"),
        pytest.param("POST", "/bundles/20/configure", configure_body("5001@3"), 400, {"details"}, id="400 of a rule"),
        pytest.param("GET", "/bundles/98", None, 404, {"detail"}, id="404"),
        pytest.param("GET", "/nothing", None, 404, {"detail"}, id="404 of a path"),
        pytest.param("POST", "/settings", None, 405, set(), id="405"),
        pytest.param("POST", "/bundles/20/price", b" " * (1024 * 1024 + 1), 413, set(), id="413"),
    ],
)
async def test_every_error_has_one_shape(
    api: Api, method: str, path: str, body: object, status: int, more: set[str]
) -> None:
    response = (await api.request(method, path, body)).held(status)

    found: Json = response.json
    assert found.keys() == {"error", "code", "requestId"} | more
    assert found["requestId"] == response.headers["X-Request-Id"]
    assert re.fullmatch(r"[A-Z].*\.", found["error"])
    assert re.fullmatch(r"[a-z_]+", found["code"])
    assert found.get("detail", "Not found.") == "Not found."
    assert response.headers["Content-Type"].startswith("application/json")


async def test_refusals_of_keys_have_the_same_shape(api: Api, make_key: MakeKey) -> None:
    spent = api.with_key(await make_key(rate_limit=1))
    await spent.get("/settings")

    for response in (await api.with_key(None).get("/settings"), await spent.get("/settings")):
        assert response.json.keys() == {"error", "code", "requestId"}
        assert response.headers["Cache-Control"] == "no-store"


PATHS = ["/healthz", "/openapi.json", "/nothing", f"{BASE}/settings", f"{BASE}/nothing", f"{BASE}/bundles/0"]


@pytest.mark.parametrize(
    "sent", ["a", "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c", "A.b_c-9", "-", "...", "x" * 128], ids=lambda sent: sent[:9]
)
async def test_valid_request_id_is_returned(api: Api, sent: str) -> None:
    headers = {"X-Request-Id": sent, "Authorization": f"Bearer {api.key}"}
    for path in PATHS:
        async with api.client.get(path, headers=headers) as response:
            assert response.headers["X-Request-Id"] == sent
            assert response.status < 400 or (await response.json())["requestId"] == sent


@pytest.mark.parametrize(
    "sent", [None, "", "x" * 129, "a b", "a/b", "a,b", "a:b", "a@b", "größe", "<script>", "a\tb", "%0d%0a"]
)
async def test_invalid_request_id_is_replaced(api: Api, sent: str | None) -> None:
    headers = {} if sent is None else {"X-Request-Id": sent}

    responses = [await api.get("/bundles/0", headers) for _ in range(2)]

    given = {response.headers["X-Request-Id"] for response in responses}
    assert len(given) == 2
    assert sent not in given
    assert all(re.fullmatch(r"[A-Za-z0-9._-]{1,128}", id_) for id_ in given)
    assert {response.json["requestId"] for response in responses} == given


async def test_preflight_and_a_304_have_request_ids_too(api: Api) -> None:
    tag = (await api.get("/settings")).headers["ETag"]
    asked = {"Origin": "https://a.example", "Access-Control-Request-Method": "GET", "X-Request-Id": "mine"}

    async with api.client.options(f"{BASE}/settings", headers=asked) as preflight:
        assert preflight.headers["X-Request-Id"] == "mine"
    unchanged = await api.get("/settings", {"If-None-Match": tag, "X-Request-Id": "mine"})
    assert unchanged.held(304).headers["X-Request-Id"] == "mine"


# What is logged.


async def test_every_request_has_a_line_and_no_line_has_a_secret(api: Api) -> None:
    subscribed = configure_body("1001@1", subscription=MONTHLY)
    mine = {"X-Request-Id": "mine"}

    with logs() as written:
        await api.get("/bundles", mine)
        await api.get("/bundles/98", mine)
        await api.request("DELETE", "/settings", headers=mine)
        configured = await api.post("/bundles/20/configure", configure_body("1001@1"), mine)
        (await api.post("/bundles/50/configure", subscribed, mine)).held()
        await api.with_key(None).get("/bundles?x=1", mine)

    lines = [line for line in written.lines if line.get("requestId") == "mine"]
    prefix = str(api.key)[:16]
    assert [(line["method"], line["path"], line["status"], line["key"]) for line in lines] == [
        ("GET", f"{BASE}/bundles", 200, prefix),
        ("GET", f"{BASE}/bundles/98", 404, prefix),
        ("DELETE", f"{BASE}/settings", 405, prefix),
        ("POST", f"{BASE}/bundles/20/configure", 200, prefix),
        ("POST", f"{BASE}/bundles/50/configure", 200, prefix),
        ("GET", f"{BASE}/bundles", 403, None),
    ]
    assert all(line["level"] == "info" and line["timestamp"] and line["ms"] >= 0 for line in lines)
    secrets = (str(api.key)[16:], configured.held().json["discount"], "mira@mail.example")
    assert not any(secret in written.text for secret in secrets)


async def test_refused_requests_are_not_logged_as_errors(api: Api) -> None:
    with logs() as written:
        await api.get("/bundles/0")
        await api.get("/bundles/98")
        await api.with_key(None).get("/bundles")
        await api.post("/bundles/20/configure", b"{")
        await api.post("/bundles/20/configure", configure_body("5001@3"))

    assert {line["level"] for line in written.lines} == {"info"}
