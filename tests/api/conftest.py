"""The service on a real socket, and a client that checks every response against the OpenAPI document."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import orjson
import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import TestClient, TestServer
from multidict import CIMultiDictProxy
from pytest_aiohttp.plugin import AiohttpClient
from yarl import URL

from bundlesvc.api.app_keys import AUTHENTICATION
from bundlesvc.api.openapi import document
from bundlesvc.api.openapi.document import openapi_document
from bundlesvc.api.server.runner import ServiceRunner
from bundlesvc.app import create_app
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import Tenant
from bundlesvc.newcomers import Newcomers
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import credentials_cipher
from tests.api.loaded import SHOP, Keys, LoadedDatabase, loaded_file
from tests.api.response_check import response_check
from tests.api.shared import Remote, SharedService, shared_service
from tests.conftest import SECRET_KEY, LoadShop, replace_shop
from tests.fakes import FakeClock, FakeIds
from tests.platforms.shopify.webhooks.test_messages import SECRET
from tests.scrape import Samples, samples

BASE = "/api/headless/v1"
SHOP_TEXT = SHOP.read_text("utf-8")
LIVE_SHOP = """
shop: {handle: live, name: Live, domain: live.example, locale: en, headlessEnabled: true, activeFeatures: [],
       platform: {kind: shopify, domain: roaster.myshopify.com}, templates: [default]}
"""

Client = TestClient[Any, Any] | Remote


@dataclass(frozen=True)
class Response:
    """A response from the service."""

    status: int
    headers: CIMultiDictProxy[str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)

    @property
    def code(self) -> str:
        return str(self.json["code"])

    @property
    def paths(self) -> list[str]:
        """The paths of the invalid fields, as listed in the details of a 400 response."""
        return [detail["path"] for detail in self.json["details"]]

    def held(self, status: int = 200) -> "Response":
        """Check the status, and return the response itself."""
        assert self.status == status, self.body
        return self


class Api:
    """A client that calls the service under its base path with a key, and checks every response against the OpenAPI document."""

    def __init__(self, client: Client, key: str | None) -> None:
        self.client = client
        self.key = key

    def with_key(self, key: str | None) -> "Api":
        return Api(self.client, key)

    async def get(self, path: str, headers: Mapping[str, str] | None = None) -> Response:
        return await self.request("GET", path, headers=headers)

    async def post(self, path: str, body: object, headers: Mapping[str, str] | None = None) -> Response:
        """Send a POST. If `body` is bytes, it is sent unchanged; otherwise, it is sent as JSON."""
        return await self.request("POST", path, body, headers)

    async def request(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Send a request. `path` is sent unchanged, without decoding or encoding."""
        data = body if isinstance(body, bytes) or body is None else orjson.dumps(body)
        own = {} if self.key is None else {"Authorization": f"Bearer {self.key}"}
        url = URL(f"{BASE}{path}", encoded=True)
        async with self.client.request(
            method, url, data=data and BytesIO(data), headers={**own, **(headers or {})}
        ) as sent:
            response = Response(sent.status, sent.headers, await sent.read())
        response_check(BASE).check(method, url.raw_path, response.status, response.body)
        return response

    async def document(self) -> dict[str, Any]:
        """Fetch the OpenAPI document of the running service, which equals the document that `response_check` uses."""
        async with self.client.get("/openapi.json") as sent:
            document: dict[str, Any] = orjson.loads(await sent.read())
        return document

    async def metrics(self) -> Samples:
        """Fetch and parse the metrics page."""
        async with self.client.get("/metrics") as sent:
            return samples(await sent.text())

    async def refresh(self) -> None:
        """Read changes from the database now, as the process does once a second."""
        await self.client.app[AUTHENTICATION].refresh()


@pytest.fixture(scope="session", autouse=True)
def documents_made_once() -> Iterator[None]:
    """Build the OpenAPI document once for all tests, because building it takes longer than starting the service."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "openapi_document", _remembering(openapi_document))
        yield


def _remembering(make: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `make` in a cache that calls it once per set of arguments."""
    made: list[tuple[tuple[Any, ...], Any]] = []

    def remembered(*arguments: Any) -> Any:
        found = [value for known, value in made if known == arguments]
        if not found:
            found.append(make(*arguments))
            made.append((arguments, found[0]))
        return found[0]

    return remembered


@pytest.fixture(autouse=True)
def ready_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the caches store what comes for the first time, to keep tests short. By default, they wait for the second time."""
    monkeypatch.setattr(Newcomers, "comes_again", lambda *_: True)


@pytest.fixture
def quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the service read changes twenty times a second instead of once, so that a slow machine still polls in time."""
    monkeypatch.setattr("bundlesvc.lifecycle.REFRESH_SECONDS", 0.05)


BOTH_WAYS = frozenset(
    {"reading", "test_http_caching", "test_access", "test_rate_limit", "test_cors", "test_publication"}
)
"""Folders and modules of tests."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests in `BOTH_WAYS` with and without the edge, which must behave like the application."""
    if not BOTH_WAYS.isdisjoint(metafunc.module.__name__.split(".")):
        for fixture in ("service", "settings"):
            if fixture in metafunc.fixturenames:
                metafunc.parametrize(fixture, [True, False], indirect=True, ids=["edge", "application"])
                break


@pytest.fixture
def settings(settings: Settings, request: pytest.FixtureRequest) -> Settings:
    return replace(settings, edge=getattr(request, "param", True))


class Server(TestServer):
    """A test server that runs the application like `bundlesvc serve`. aiohttp's own test server cancels the handlers of clients
    that disconnect."""

    async def _make_runner(self, **_: Any) -> ServiceRunner:
        return ServiceRunner(self.app)


Serve = Callable[..., Awaitable[Client]]
MakeApi = Callable[..., Awaitable[Api]]


@pytest.fixture(scope="session")
def loaded_database(tmp_path_factory: pytest.TempPathFactory) -> LoadedDatabase:
    """A database file with both test shops, created once and copied by the tests."""
    return loaded_file(tmp_path_factory)


@pytest.fixture
def keys(loaded_database: LoadedDatabase) -> Keys:
    """The API keys in the test database."""
    return loaded_database.keys


@pytest.fixture
def database_file(settings: Settings, loaded_database: LoadedDatabase) -> None:
    """Copy the file with both test shops to the location of the test's database."""
    shutil.copy(loaded_database.location, settings.database)


@pytest.fixture
async def database(settings: Settings, database_file: None) -> AsyncIterator[Database]:
    """The database named in the settings, opened by the test. In many tests, only the service opens it."""
    async with open_database(settings.database) as database:
        yield database


@pytest.fixture
def serve(aiohttp_client: AiohttpClient, settings: Settings, database_file: None, clock: FakeClock) -> Serve:
    """Return a function that starts an instance of the service on the test database. Its keyword arguments are passed to
    `create_app`."""

    async def start(**overrides: Any) -> Client:
        app = create_app(overrides.pop("settings", settings), **{"clock": clock, **overrides})
        client: Client = await aiohttp_client(Server(app))
        return client

    return start


@pytest.fixture
async def live(database: Database, load_shop: LoadShop, tmp_path: Path, clock: FakeClock) -> Tenant:
    """A connected shop on a live platform."""
    path = tmp_path / "live.yaml"
    path.write_text(LIVE_SHOP)
    await load_shop(path)
    tenant = await SqlKeyStore(database).tenant("live")
    assert tenant is not None
    connection = PlatformConnection("roaster.myshopify.com", "token", SECRET)
    await SqlCredentialStore(database, credentials_cipher([SECRET_KEY])).connect(tenant, connection, int(clock.now()))
    return tenant


@pytest.fixture
async def live_client(live: Tenant, serve: Serve) -> Client:
    """A client of the service with a shop on a live platform."""
    return await serve()


@pytest.fixture
def make_api(serve: Serve, settings: Settings, keys: Keys) -> MakeApi:
    """Return a function that starts the service, and returns a client that calls it with a live key. `shop` replaces the demo
    shop of the tests."""

    async def make(shop: str | None = None, **overrides: Any) -> Api:
        if shop is not None:
            async with open_database(settings.database) as database:
                await replace_shop(database, shop)
        return Api(await serve(**overrides), keys.live)

    return make


@pytest.fixture
async def counted(make_api: MakeApi) -> Api:
    """The service with sequential ids: the first configured bundle gets the id 1 and the unique id 2, the second one 3 and 4, and
    so on."""
    return await make_api(ids=FakeIds())


@pytest.fixture
async def api(make_api: MakeApi) -> Api:
    """The service with the test shops, called with a live key of the demo shop."""
    return await make_api()


@pytest.fixture
def api_with_test_key(api: Api, keys: Keys) -> Api:
    """The service, called with a test key."""
    return api.with_key(keys.test)


@pytest.fixture
def other_api(api: Api, keys: Keys) -> Api:
    """The service, called with a key of the other shop."""
    return api.with_key(keys.other)


@pytest.fixture(scope="session")
def service(
    loaded_database: LoadedDatabase,
    tmp_path_factory: pytest.TempPathFactory,
    documents_made_once: None,
    request: pytest.FixtureRequest,
) -> Iterator[SharedService]:
    """A service shared by tests that change nothing."""
    edge = getattr(request, "param", True)
    with shared_service(loaded_database, tmp_path_factory.mktemp("shared"), edge=edge) as service:
        yield service


@pytest.fixture
async def shared_api(service: SharedService) -> AsyncIterator[Api]:
    """The shared service, called with a live key of the demo shop: ten times faster than `api`, for tests that change nothing.

    It limits neither request rates nor attempts to guess keys.
    """
    async with ClientSession() as session:
        yield Api(Remote(session, service), service.keys.live)


@pytest.fixture
def shared_api_with_test_key(shared_api: Api, service: SharedService) -> Api:
    """The shared service, called with a test key."""
    return shared_api.with_key(service.keys.test)


@pytest.fixture
def shared_other_api(shared_api: Api, service: SharedService) -> Api:
    """The shared service, called with a key of the other shop."""
    return shared_api.with_key(service.keys.other)
