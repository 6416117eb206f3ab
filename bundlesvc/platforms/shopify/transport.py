"""HTTP to shops: one POST, its reply read whole. Says of a failure whether the shop may have seen the request."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from aiohttp import (
    ClientConnectorError,
    ClientError,
    ClientPayloadError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from yarl import URL

from bundlesvc.domain.errors import PlatformFailed, PlatformNotConnected, PlatformTimeout, PlatformUnavailable
from bundlesvc.platforms.shopify.outcomes import Transient
from bundlesvc.ports import Connection

API_VERSION = "2026-07"
MAX_REPLY_BYTES = 64 * 1024 * 1024
"""Beyond the largest honest answer: 250 products of 100 variants are about 20 MB."""

MAX_CONNECTIONS = 50
"""To one shop. There is no limit for all together: a shop that hangs takes no connection from another."""

Endpoint = Callable[[str], URL]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, whatever it says. `headers` are looked up case-insensitively."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


class Transport(Protocol):
    async def post(self, connection: Connection, body: bytes, seconds: float) -> Reply:
        """Send a JSON body to the shop's GraphQL endpoint, and wait so many seconds for the reply. Raises Transient,
        PlatformFailed and PlatformNotConnected."""


_PATH = f"/admin/api/{API_VERSION}/graphql.json"


def admin_endpoint(domain: str) -> URL:
    """Where a shop's API is. Raises ValueError for what is no domain."""
    return URL.build(scheme="https", host=domain, path=_PATH)


def endpoint_at(origin: str | None) -> Endpoint:
    """The endpoint of each shop, or that of a stand-in at `origin` for all of them."""
    return admin_endpoint if origin is None else lambda _: URL(origin).with_path(_PATH)


class HttpTransport:
    """The port `Transport` over aiohttp; it must be opened before anything is sent."""

    def __init__(self, endpoint: Endpoint = admin_endpoint) -> None:
        self._endpoint = endpoint
        self._session: ClientSession | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """While this lasts, requests can be sent."""
        connector = TCPConnector(limit=0, limit_per_host=MAX_CONNECTIONS)
        async with ClientSession(connector=connector, cookie_jar=DummyCookieJar()) as session:
            self._session = session
            try:
                yield
            finally:
                self._session = None

    async def post(self, connection: Connection, body: bytes, seconds: float) -> Reply:
        try:
            return await self._post(connection, body, seconds)
        except TimeoutError as error:
            raise Transient(PlatformTimeout()) from error
        except ClientConnectorError as error:
            raise Transient(PlatformUnavailable(), sent=False) from error
        except ClientPayloadError as error:
            raise Transient(PlatformFailed()) from error
        except (ClientError, OSError) as error:
            raise Transient(PlatformUnavailable()) from error

    async def _post(self, connection: Connection, body: bytes, seconds: float) -> Reply:
        if self._session is None:
            raise Transient(PlatformUnavailable(), sent=False)
        try:
            address = self._endpoint(connection.domain)
        except ValueError as error:  # no domain at all: connecting the shop anew mends it
            raise PlatformNotConnected from error
        headers = {
            "X-Shopify-Access-Token": connection.access_token,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": "bundlesvc",
        }
        sending = self._session.post(
            address,
            data=body,
            headers=headers,
            timeout=ClientTimeout(total=seconds),
            allow_redirects=False,  # the token is for this shop alone
        )
        async with sending as response:
            return Reply(response.status, response.headers, await _read(response))


async def _read(response: ClientResponse) -> bytes:
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            raise PlatformFailed
    return bytes(body)
