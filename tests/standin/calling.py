"""A client that calls the stand-in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from aiohttp import ClientSession

from tests.standin.operations.versions import CURRENT
from tests.standin.server import TOKEN, Standin


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    json: Any

    @property
    def data(self) -> Any:
        """Return the data of the response. Asserts that there are no errors."""
        assert self.status == 200, self.json
        assert "errors" not in self.json, self.json
        return self.json["data"]

    @property
    def error(self) -> Any:
        """Return the only GraphQL error in the response."""
        (error,) = self.json["errors"]
        return error

    @property
    def codes(self) -> list[str]:
        return [error["extensions"]["code"] for error in self.json["errors"]]

    @property
    def cost(self) -> Any:
        return self.json["extensions"]["cost"]


class Caller:
    """Sends GraphQL documents, with one access token, to one version of the API."""

    def __init__(self, session: ClientSession, standin: Standin, token: str = TOKEN, version: str = CURRENT) -> None:
        self._session = session
        self.standin = standin
        self._token = token
        self._version = version

    def using(self, token: str = TOKEN, version: str = CURRENT) -> "Caller":
        return Caller(self._session, self.standin, token, version)

    async def __call__(self, document: str, **variables: Any) -> Reply:
        return await self.post(orjson.dumps({"query": document, "variables": variables}))

    async def post(self, body: bytes) -> Reply:
        url = f"{self.standin.url}/admin/api/{self._version}/graphql.json"
        headers = {"X-Shopify-Access-Token": self._token, "Content-Type": "application/json"}
        async with self._session.post(url, data=body, headers=headers) as response:
            return Reply(response.status, response.headers, orjson.loads(await response.read()))
