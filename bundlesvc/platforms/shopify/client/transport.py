"""HTTP requests to shops on Shopify: addresses and headers of the Admin API.

Retries are in `retrying_client.py`."""

import re
from collections.abc import Callable, Mapping
from typing import Protocol
from urllib.parse import urlencode

from yarl import URL

from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.calls.http import HttpSender, Reply
from bundlesvc.tracing.spans import outgoing_headers

API_VERSION = "2026-07"
EndpointUrl = Callable[[str], URL]


class Transport(Protocol):
    async def post(self, connection: PlatformConnection, body: bytes, seconds: float) -> Reply:
        """Send a JSON body to the shop's GraphQL endpoint, and wait up to `seconds` for the reply. Raises Transient,
        PlatformFailed and PlatformNotConnected."""


class TokenEndpoint(Protocol):
    async def post_form(self, domain: str, form: Mapping[str, str], seconds: float) -> Reply:
        """Send a form to the shop's token endpoint, and wait for the reply in the same way as `Transport.post`."""


class ShopTransport(Transport, TokenEndpoint, Protocol):
    """The transport for all requests to shops."""


_PATH = f"/admin/api/{API_VERSION}/graphql.json"
_TOKEN_PATH = "/admin/oauth/access_token"  # noqa: S105 - a path, not a token
_DOMAIN = re.compile(r"[a-z0-9][a-z0-9-]*\.myshopify\.com", re.IGNORECASE)


def admin_endpoint(domain: str) -> URL:
    """Return the address of a shop's API. Raises ValueError for a domain outside myshopify.com, so that tokens and secrets are
    never sent to other domains."""
    if not _DOMAIN.fullmatch(domain):
        raise ValueError(domain)
    return URL.build(scheme="https", host=domain, path=_PATH)


def endpoint_at(origin: str | None) -> EndpointUrl:
    """Return a function that maps a shop's domain to its API endpoint. If `origin` is given, every shop is mapped to the endpoint
    of the stand-in at that origin."""
    return admin_endpoint if origin is None else lambda _: URL(origin).with_path(_PATH)


class HttpTransport(HttpSender):
    """Sends requests to the Admin API. Must be opened before use."""

    def __init__(self, endpoint: EndpointUrl = admin_endpoint) -> None:
        super().__init__()
        self._endpoint = endpoint

    async def post(self, connection: PlatformConnection, body: bytes, seconds: float) -> Reply:
        own = {"X-Shopify-Access-Token": connection.access_token, "Content-Type": "application/json"}
        headers = {**outgoing_headers(), **own}
        return await self.send(self._address(connection.domain), body, headers, seconds)

    async def post_form(self, domain: str, form: Mapping[str, str], seconds: float) -> Reply:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        address = self._address(domain).with_path(_TOKEN_PATH)
        return await self.send(address, urlencode(form).encode(), headers, seconds)

    def _address(self, domain: str) -> URL:
        try:
            return self._endpoint(domain)
        except ValueError as error:  # the domain does not belong to the platform: connecting the shop again fixes this
            raise PlatformNotConnected from error
