"""Calls to the Admin API: the addresses, and the headers that authenticate a call and select a channel."""

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from yarl import URL

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.calls.http import HttpSender, Reply
from bundlesvc.tracing.spans import outgoing_headers

_PATH = "/admin-api"
_SESSION_TOKEN = re.compile(r"[0-9a-f]{64}")
_API_KEY_HEADER = "vendure-api-key"
_CHANNEL_HEADER = "vendure-token"

EndpointUrl = Callable[[str], URL]


class AdminTransport(Protocol):
    async def post(self, connection: PlatformConnection, channel: str | None, body: bytes, seconds: float) -> Reply:
        """Send a JSON body to the shop's Admin API, and wait up to `seconds` for the reply. `channel` is a channel's token; None
        stands for the default channel. Raises Transient and PlatformFailed."""


def endpoint_at(origin: str | None) -> EndpointUrl:
    """Return a function that maps a shop's domain to the URL of its Admin API. If `origin` is given, every shop is mapped to the
    Admin API of the engine at that origin."""
    if origin is not None:
        return lambda _: URL(origin).with_path(_PATH)
    return lambda domain: URL.build(scheme="https", host=domain, path=_PATH)


class HttpTransport(HttpSender):
    """Sends requests to the Admin API. Must be opened before use."""

    def __init__(self, endpoint: EndpointUrl) -> None:
        super().__init__()
        self._endpoint = endpoint

    async def post(self, connection: PlatformConnection, channel: str | None, body: bytes, seconds: float) -> Reply:
        own = {**_credentials(connection.access_token), "Content-Type": "application/json"}
        headers = {**outgoing_headers(), **own, **({_CHANNEL_HEADER: channel} if channel else {})}
        return await self.send(self._endpoint(connection.domain), body, headers, seconds)


def _credentials(token: str) -> Mapping[str, str]:
    """Return the header for a session token or an API key. A session token is recognised by its format."""
    return {"Authorization": f"Bearer {token}"} if _SESSION_TOKEN.fullmatch(token) else {_API_KEY_HEADER: token}
