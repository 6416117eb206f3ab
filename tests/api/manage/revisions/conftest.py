"""Fixtures: a client of the revision endpoints that checks responses against the OpenAPI document of the running service."""

from dataclasses import dataclass
from io import BytesIO
from typing import Any

import orjson
import pytest

from bundlesvc.api.manage.api import MANAGE_PATH
from bundlesvc.api.manage.document import DOCUMENT_PATH
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.system import RandomIds
from tests.api.conftest import Api, Client, Response
from tests.api.response_check import ResponseCheck
from tests.fakes import FakeClock

BUNDLE = 20
ALL = ("manage:read", "manage:write", "manage:publish")


@dataclass
class Managing:
    """A client that calls the management API with a key."""

    client: Client
    key: str | None
    check: ResponseCheck

    async def request(
        self, method: str, path: str, body: object = None, tag: str | None = None, **headers: str
    ) -> Response:
        """Send a request to a path relative to the API's base path; `tag` is sent as `If-Match`."""
        sent_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key is not None:
            sent_headers["Authorization"] = f"Bearer {self.key}"
        if tag is not None:
            sent_headers["If-Match"] = tag
        data = None if body is None else BytesIO(body if isinstance(body, bytes) else orjson.dumps(body))
        async with self.client.request(method, f"{MANAGE_PATH}{path}", data=data, headers=sent_headers) as sent:
            response = Response(sent.status, sent.headers, await sent.read())
        assert "Access-Control-Allow-Origin" not in response.headers
        if response.headers["Content-Type"].startswith("application/json"):
            self.check.check(method, f"{MANAGE_PATH}{path}", response.status, response.body)
        return response

    async def get(self, path: str) -> Any:
        return (await self.request("GET", path)).held().json

    async def draft(self, message: str = "") -> tuple[str, str]:
        """Create a draft, and return its path and entity tag."""
        made = (await self.request("POST", "/revisions", {"message": message})).held()
        return f"/revisions/{made.json['number']}", made.headers["ETag"]

    async def changed(self, patch: dict[str, Any], bundle: int = BUNDLE) -> tuple[str, str]:
        """Create a draft that changes a bundle, and return the draft's path and entity tag."""
        path, tag = await self.draft()
        made = (await self.request("PATCH", f"{path}/bundles/{bundle}", patch, tag)).held()
        return path, made.headers["ETag"]

    async def publish(self, draft: tuple[str, str], body: object = None, query: str = "") -> Response:
        return await self.request("POST", f"{draft[0]}/publish{query}", body or {}, draft[1])


async def key_of(database: Database, *scopes: str, label: str = "Mira", handle: str = "demo") -> str:
    """Create a key for a shop."""
    store = SqlKeyStore(database)
    tenant = await store.tenant(handle)
    assert tenant is not None
    request = KeyRequest(label, scopes=scopes, rate_limit=1_000_000)
    return await create_key(store, tenant, request, FakeClock(), RandomIds())


async def managing_of(api: Api, key: str) -> Managing:
    """A client of the service's management API that uses this key."""
    async with api.client.get(DOCUMENT_PATH) as sent:
        check = ResponseCheck(orjson.loads(await sent.read()))
    return Managing(api.client, key, check)


@pytest.fixture
async def managing(api: Api, database: Database) -> Managing:
    """The management API of the service with the test shops, called with a key that has all revision scopes."""
    return await managing_of(api, await key_of(database, *ALL))
