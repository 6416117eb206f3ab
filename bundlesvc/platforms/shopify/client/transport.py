"""HTTP to shops: sends one POST and reads the whole reply. A failure says whether the shop may have seen the request.

Retries are in `retrying_client.py`."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlencode

import orjson
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
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.shopify.client.call_errors import Transient
from bundlesvc.tracing.spans import outgoing_headers

API_VERSION = "2026-07"
MAX_REPLY_BYTES = 64 * 1024 * 1024
"""More than the largest real reply: 250 products with 100 variants each are about 20 MB."""

MAX_CONNECTIONS = 50
"""Connections to one shop. There is no limit for all shops together, so that a shop that hangs takes none from another."""

Json = Mapping[str, Any]
EndpointUrl = Callable[[str], URL]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply with any status. Header names are case-insensitive. `payload` is the JSON object in the body; empty when the
    body is not one."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    payload: Json = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "payload", _json_object(self.body))


class Transport(Protocol):
    async def post(self, connection: PlatformConnection, body: bytes, seconds: float) -> Reply:
        """Send a JSON body to the shop's GraphQL endpoint, and wait up to `seconds` for the reply. Raises Transient,
        PlatformFailed and PlatformNotConnected."""


class TokenEndpoint(Protocol):
    async def post_form(self, domain: str, form: Mapping[str, str], seconds: float) -> Reply:
        """Send a form to the shop's token endpoint; otherwise as `Transport.post`."""


class ShopTransport(Transport, TokenEndpoint, Protocol):
    """Everything that can be sent to shops."""


_PATH = f"/admin/api/{API_VERSION}/graphql.json"
_TOKEN_PATH = "/admin/oauth/access_token"  # noqa: S105 - an address, not a token
_DOMAIN = re.compile(r"[a-z0-9][a-z0-9-]*\.myshopify\.com", re.IGNORECASE)


def admin_endpoint(domain: str) -> URL:
    """The address of a shop's API. Raises ValueError for a domain outside myshopify.com, so that tokens and secrets are never
    sent there."""
    if not _DOMAIN.fullmatch(domain):
        raise ValueError(domain)
    return URL.build(scheme="https", host=domain, path=_PATH)


def endpoint_at(origin: str | None) -> EndpointUrl:
    """The endpoint of each shop, or for all shops that of a stand-in at `origin`."""
    return admin_endpoint if origin is None else lambda _: URL(origin).with_path(_PATH)


class HttpTransport:
    """Sends over aiohttp. It must be opened first."""

    def __init__(self, endpoint: EndpointUrl = admin_endpoint) -> None:
        self._endpoint = endpoint
        self._session: ClientSession | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Requests can be sent inside this context."""
        connector = TCPConnector(limit=0, limit_per_host=MAX_CONNECTIONS)
        async with ClientSession(connector=connector, cookie_jar=DummyCookieJar()) as session:
            self._session = session
            try:
                yield
            finally:
                self._session = None

    async def post(self, connection: PlatformConnection, body: bytes, seconds: float) -> Reply:
        own = {"X-Shopify-Access-Token": connection.access_token, "Content-Type": "application/json"}
        headers = {**outgoing_headers(), **own}
        return await self._send(self._address(connection.domain), body, headers, seconds)

    async def post_form(self, domain: str, form: Mapping[str, str], seconds: float) -> Reply:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        address = self._address(domain).with_path(_TOKEN_PATH)
        return await self._send(address, urlencode(form).encode(), headers, seconds)

    def _address(self, domain: str) -> URL:
        try:
            return self._endpoint(domain)
        except ValueError as error:  # not a domain of the platform: to fix it, connect the shop again
            raise PlatformNotConnected from error

    async def _send(self, address: URL, body: bytes, headers: Mapping[str, str], seconds: float) -> Reply:
        try:
            return await self._post(address, body, headers, seconds)
        except TimeoutError as error:
            raise Transient(PlatformTimeout()) from error
        except ClientConnectorError as error:
            raise Transient(PlatformUnavailable(), sent=False) from error
        except ClientPayloadError as error:
            raise Transient(PlatformFailed()) from error
        except (ClientError, OSError) as error:
            raise Transient(PlatformUnavailable()) from error

    async def _post(self, address: URL, body: bytes, headers: Mapping[str, str], seconds: float) -> Reply:
        if self._session is None:
            raise Transient(PlatformUnavailable(), sent=False)
        sending = self._session.post(
            address,
            data=body,
            headers={**headers, "Accept": "application/json", "User-Agent": "bundlesvc"},
            timeout=ClientTimeout(total=seconds),
            allow_redirects=False,  # the token must not leave this shop
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


def _json_object(body: bytes) -> Json:
    try:
        payload = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return payload if isinstance(payload, dict) else {}
