"""Fixtures: the service with the studio, a management key, and a simple browser."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from http.cookies import SimpleCookie
from typing import Any

import orjson
import pytest
from aiohttp.test_utils import TestClient

from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.system import RandomIds
from tests.api.conftest import (  # noqa: F401 - pytest finds the fixtures here
    Client,
    Response,
    Serve,
    database,
    database_file,
    documents_made_once,
    keys,
    loaded_database,
    serve,
)
from tests.fakes import FakeClock

READ, WRITE, PUBLISH = "manage:read", "manage:write", "manage:publish"
EDITOR = (READ, WRITE, PUBLISH)

MakeKey = Callable[..., Awaitable[str]]


@dataclass
class Browser:
    """A browser that sends the requests of the studio's page. It stores the studio's cookie in `cookie`, and all other cookies in
    `others`. `headers` are the headers that browsers add on their own."""

    client: Client
    headers: dict[str, str] = field(default_factory=lambda: {"Sec-Fetch-Site": "same-origin"})
    cookie: str | None = None
    others: dict[str, str] = field(default_factory=dict)

    async def log_in(self, key: str) -> Response:
        return await self.send("POST", "/session", {"key": key})

    async def send(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None, *, own: bool = True
    ) -> Response:
        """Send a request to a path below /studio. With `own`, include the header that only the studio's page sends."""
        sent = {**self.headers, **({"X-Bundlesvc-Studio": "1"} if own else {}), **(headers or {})}
        cookies = {**self.others, **({} if self.cookie is None else {self.cookie_name: self.cookie})}
        if cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        data = None if body is None else orjson.dumps(body)
        async with self.client.request(method, f"/studio{path}", data=data, headers=sent) as answer:
            response = Response(answer.status, answer.headers, await answer.read())
        if isinstance(self.client, TestClient):
            self.client.session.cookie_jar.clear()  # each Browser keeps its own cookie, so the shared client must not store any
        if "Set-Cookie" in response.headers:
            self._store(response.headers.getall("Set-Cookie"))
        return response

    @property
    def cookie_name(self) -> str:
        return f"bundlesvc_studio_{self.client.port}"

    def _store(self, sent: list[str]) -> None:
        cookies = {name: morsel.value for each in sent for name, morsel in SimpleCookie(each).items()}
        self.cookie = cookies.pop(self.cookie_name, self.cookie) or None
        self.others = {name: value for name, value in {**self.others, **cookies}.items() if value}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, studio=True)


@pytest.fixture
def make_key(database: Database) -> MakeKey:  # noqa: F811
    """A function that creates a key for the demo shop."""

    async def make(scopes: tuple[str, ...] = EDITOR, label: str = "Anna") -> str:
        store = SqlKeyStore(database)
        tenant = await store.tenant("demo")
        assert tenant is not None
        request = KeyRequest(label, scopes=scopes, rate_limit=1_000_000)
        return await create_key(store, tenant, request, FakeClock(), RandomIds())

    return make


@pytest.fixture
async def client(serve: Serve) -> Client:  # noqa: F811
    return await serve()


@pytest.fixture
def browser(client: Client) -> Browser:
    return Browser(client)


@pytest.fixture
async def studio(browser: Browser, make_key: MakeKey) -> Browser:
    """A browser that is logged in to the studio."""
    (await browser.log_in(await make_key())).held()
    return browser


def session_of(response: Response) -> Any:
    return response.held().json["session"]
