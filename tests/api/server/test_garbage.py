"""No connection is left to the garbage collector, whose full collections are rare."""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable

import orjson
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from bundlesvc.api.app_keys import STATISTICS
from bundlesvc.api.server.connection import Connection
from bundlesvc.domain.errors import BundlesvcError
from tests.api.conftest import BASE, Api
from tests.api.selection import configure_body
from tests.running.garbage import left_to_collector

BUNDLE = f"{BASE}/bundles/60"
BODY = orjson.dumps(configure_body("1001@1"))
UNKNOWN = orjson.dumps(configure_body("9991@1"))
TIMES = 3
"""How many times each request is sent: the application answers the first time, and the fast path the other times."""

COSTLY = (Connection, web.BaseRequest, BundlesvcError, HttpProcessingError, ConnectionError, web.AbstractRoute)
"""Types whose instances refer to a whole request."""


def request(key: str | None, start: str, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"{start} HTTP/1.1", "Host: shop", "Connection: close", *headers]
    if key is not None:
        lines.append(f"Authorization: Bearer {key}")
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join((*lines, "", "")).encode() + body


def requests(key: str | None) -> dict[str, bytes]:
    price, configure = f"POST {BUNDLE}/price", f"POST {BUNDLE}/configure"
    return {
        "a bundle": request(key, f"GET {BUNDLE}"),
        "an unknown bundle": request(key, f"GET {BASE}/bundles/999999"),
        "an unknown key": request("bnd_live_unknown", f"GET {BUNDLE}"),
        "an unknown path": request(key, "GET /nothing"),
        "another method": request(key, f"DELETE {BUNDLE}"),
        "a price": request(key, price, BODY),
        "a price of an unknown variant": request(key, price, UNKNOWN),
        "a price of no JSON": request(key, price, b"{"),
        "a configure": request(key, configure, BODY),
        "a configure of an unknown variant": request(key, configure, UNKNOWN),
        "a compressed body": request(key, price, BODY, "Content-Encoding: gzip"),
        "half a body": request(key, price, BODY)[:-5],
        "no HTTP": b"nonsense\r\n\r\n",
        "a wrong length": request(key, price, b"", "Content-Length: x"),
    }


def read(address: tuple[str, int], sent: bytes) -> None:
    """Send bytes, and read until the service closes the connection."""
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(sent)
        while connection.recv(65536):
            pass


def leave(address: tuple[str, int], sent: bytes) -> None:
    """Send bytes, and disconnect."""
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(sent)


async def test_requests_free_their_connections(api: Api) -> None:
    address = (str(api.client.host), int(api.client.port or 0))
    statistics = api.client.app[STATISTICS]

    async def left(send: Callable[[tuple[str, int], bytes], None], sent: bytes) -> Counter[str]:
        with left_to_collector(*COSTLY) as found:
            for _ in range(TIMES):
                await asyncio.to_thread(send, address, sent)
            while statistics.connections or statistics.under_way:  # noqa: ASYNC110 - the service notifies nobody
                await asyncio.sleep(0.01)
        return found

    kinds = requests(api.key)
    seen = {name: await left(leave, sent) for name, sent in kinds.items()}
    del kinds["half a body"]
    seen |= {f"{name}, read": await left(read, sent) for name, sent in kinds.items()}
    assert {name: found for name, found in seen.items() if found} == {}
