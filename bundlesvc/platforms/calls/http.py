"""HTTP calls to shops: each sends a POST request, and reads the whole reply. The error of a failed call tells whether the shop
may have received the request."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

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

from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable
from bundlesvc.platforms.calls.call_errors import Transient

MAX_REPLY_BYTES = 64 * 1024 * 1024
"""The maximum size of a reply, in bytes. It is far larger than any real reply."""

MAX_CONNECTIONS = 50
"""The maximum number of connections to one shop. There is no limit across shops, so that a shop that hangs takes no connections
from others."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply to a request, whatever its status. Header names are case-insensitive. `payload` is the JSON object in the body;
    empty when the body is not a JSON object."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    payload: Json = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "payload", _json_object(self.body))

    @property
    def retry_after(self) -> float:
        """The seconds in the `Retry-After` header; 0 when it is missing or not a positive number."""
        try:
            seconds = float(self.headers.get("Retry-After", "0"))
        except ValueError:
            return 0.0
        return seconds if 0 < seconds < float("inf") else 0.0


class HttpSender:
    """Sends requests with aiohttp. Must be opened before use."""

    def __init__(self) -> None:
        self._session: ClientSession | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Open an HTTP session for the duration of this context. Requests can be sent only within it."""
        connector = TCPConnector(limit=0, limit_per_host=MAX_CONNECTIONS)
        async with ClientSession(connector=connector, cookie_jar=DummyCookieJar()) as session:
            self._session = session
            try:
                yield
            finally:
                self._session = None

    async def send(self, address: URL, body: bytes, headers: Mapping[str, str], seconds: float) -> Reply:
        """POST a body and wait up to `seconds` for the reply. Raises Transient and PlatformFailed."""
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
            allow_redirects=False,  # the token must not be sent to another host
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
