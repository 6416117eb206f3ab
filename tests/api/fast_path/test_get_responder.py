"""The fast path sends the same bytes as the application, except for the date, the request id and the rate-limit headers."""

import asyncio
import random
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bundlesvc.api.app_keys import AUTHENTICATION, RESPONSE_CACHE, STATISTICS
from bundlesvc.api.fast_path.pipeline import FAST_PATH, FastPath
from bundlesvc.api.fast_path.raw_responses import Chunks
from bundlesvc.settings.environment import Settings
from tests.api.conftest import BASE, Api, Client, Serve
from tests.api.loaded import RATE_LIMIT
from tests.api.raw import raw_connection
from tests.conftest import MakeKey
from tests.servers.redis_server import RedisServer

_OWN = re.compile(rb"(?mi)^(Date|X-Request-Id|RateLimit|X-RateLimit-Remaining|X-RateLimit-Reset): [^\r\n]*")
_REQUEST_ID = re.compile(rb'"requestId":"[^"]*"')

PATHS = (
    "/bundles",
    "/bundles?lang=de",
    "/bundles?include=available&limit=2",
    "/bundles?limit=0",
    "/bundles/10",
    "/bundles/10?",
    "/bundles/10?a=%25s",
    "/bundles/%31%30",
    "/bundles/010",
    "/bundles/10/",
    "//bundles/10",
    "/bundles/../bundles/10",
    "/bundles/10#here",
    "/bundles/1",
    "/bundles/10/products",
    "/bundles/10/products?countryCode=US",
    "/bundles/10/products?countryCode=us",
    "/bundles/10/products?countryCode=XX",
    "/settings",
    "/embed/api/v1/settings",
    "/embed/api/v1/settings?lang=de",
    "/embed/api/v1/bundle?id=10",
    "/embed/api/v1/bundle?id=10&lang=de",
    "/%65mbed/api/v1/settings",
    "/embed/api/v1/bundle",
    "/embed/api/v1/bundle?id=10&visitor_id=7d444840-9dc0-11d1-b245-5ffdce74fad2",
    "/nothing",
)
HEADERS = (
    (),
    ("Accept-Encoding: gzip, deflate, br",),
    ("Accept-Encoding: br;q=0.1, GZIP",),
    ("Accept-Encoding: identity;q=1, *;q=0.5",),
    ("Accept-Encoding: gzip", "Accept-Encoding: br"),
    ("Origin: https://shop.example",),
    ("Origin: ",),
    ("Origin: null", "Accept-Encoding: br"),
    ("Origin: https://a.example", "Origin: https://b.example"),
    ("Accept-Language: de-AT, en;q=0.5",),
    ("Accept-Language: fr", "Accept-Encoding: br"),
    ("If-None-Match: *",),
    ('If-None-Match: "0", W/"1"',),
    ('If-None-Match: "0", {tag}, "1"',),
    ('If-None-Match: "0"', "If-None-Match: {tag}"),
    ("If-None-Match: ",),
    ("If-None-Match: {tag}",),
    ('If-None-Match: "x",W/{tag}', "Accept-Encoding: br"),
    ("If-None-Match: {tag}", "Origin: https://shop.example"),
    ("Range: bytes=0-9",),
    ("If-Modified-Since: Sun, 22 Nov 2026 03:36:29 GMT",),
    ("Content-Encoding: gzip",),
    ("Content-Length: 0",),
    ("Content-Length: 3", "", "abc"),
    ("Transfer-Encoding: chunked", "", "3", "abc", "0", "", ""),
    ("Expect: 100-continue",),
    ("Expect: the impossible",),
    ("Connection: close",),
    ("Connection: keep-alive",),
    ("Connection: Upgrade", "Upgrade: websocket"),
    ("X-Request-Id: mine", "X-Forwarded-For: 1.2.3.4"),
    ("Authorization: Bearer nonsense",),
    ("Not a header",),
)
METHODS = ("GET",) * 12 + ("HEAD",) * 4 + ("POST", "OPTIONS", "DELETE", "get")
VERSIONS = ("HTTP/1.1",) * 20 + ("HTTP/1.0",)


KEYS: tuple[dict[str, Any], ...] = (
    {},
    {"test": True},
    {"visitor_limit": RATE_LIMIT},
    {"origins": ("https://shop.example",), "visitor_limit": RATE_LIMIT},
    {"scopes": ("headless",)},
    {"scopes": ("embed",)},
    {"shop": "other"},
)


class Both:
    """Two processes that share a database, the first with the fast path and the second without it, and keys that work in both."""

    def __init__(self, edge: Client, application: Client, keys: Sequence[str]) -> None:
        self.clients = edge, application
        self.keys = keys

    async def exchange(self, requests: list[bytes], *, pipelined: bool) -> list[bytes]:
        """Send requests on one connection to each process, and return what each process sends until it closes the connection."""
        return [await _exchange(client, requests, pipelined=pipelined) for client in self.clients]

    def request(
        self, path: str, *headers: str, method: str = "GET", version: str = "HTTP/1.1", key: str | None = None
    ) -> bytes:
        lines = [
            f"{method} {BASE}{path} {version}",
            "Host: shop.example",
            f"Authorization: Bearer {key or self.keys[0]}",
            *headers,
        ]
        text = "\r\n".join(lines)
        return (text if "" in headers else f"{text}\r\n\r\n").encode()


async def _exchange(client: Client, requests: list[bytes], *, pipelined: bool) -> bytes:
    received = b""
    async with raw_connection(client) as (reader, writer):
        with suppress(ConnectionError):  # the service may have closed the connection already
            for request in [b"".join(requests)] if pipelined else requests:
                writer.write(request)
                if not pipelined:
                    received += await _one_response(reader, head=request.startswith(b"HEAD"))
        with suppress(ConnectionError):
            received += await asyncio.wait_for(reader.read(), 10)
    return received


async def _one_response(reader: asyncio.StreamReader, *, head: bool) -> bytes:
    """Read the next response, or the part of it that arrives before the connection closes."""
    try:
        received = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        if received.startswith(b"HTTP/1.1 100 "):
            return received + await _one_response(reader, head=head)
        length = re.search(rb"(?i)\r\nContent-Length: (\d+)", received)
        if length is not None and not head:
            received += await asyncio.wait_for(reader.readexactly(int(length[1])), 10)
    except asyncio.IncompleteReadError as ended:
        return ended.partial
    return received


def _masked(response: bytes) -> bytes:
    return _REQUEST_ID.sub(b'"requestId":""', _OWN.sub(rb"\1:", response))


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """A list that collects the response heads that the edge sends."""
    heads: list[bytes] = []
    write = FastPath._write

    def remembering(*arguments: Any) -> Chunks:
        chunks = write(*arguments)
        heads.append(chunks[0])
        return chunks

    monkeypatch.setattr(FastPath, "_write", remembering)
    return heads


@pytest.fixture
async def both(serve: Serve, settings: Settings, make_key: MakeKey, answered: list[bytes]) -> Both:
    return await _both(serve, settings, make_key)


@pytest.fixture
async def both_with_shared_caching(serve: Serve, settings: Settings, make_key: MakeKey, answered: list[bytes]) -> Both:
    return await _both(serve, replace(settings, shared_caching=True), make_key)


@pytest.fixture
async def both_with_redis(
    serve: Serve,
    settings: Settings,
    make_key: MakeKey,
    answered: list[bytes],
    redis: RedisServer,
    long_redis_timeout: None,
) -> Both:
    return await _both(serve, replace(settings, redis_url=redis.url), make_key)


async def _both(serve: Serve, settings: Settings, make_key: MakeKey) -> Both:
    keys = [await make_key(**{"rate_limit": RATE_LIMIT, **properties}) for properties in KEYS]
    return Both(await serve(settings=settings), await serve(settings=replace(settings, edge=False)), keys)


@pytest.mark.parametrize("seed", range(12))
async def test_random_requests_get_the_same_bytes_with_and_without_the_edge(
    seed: int, both: Both, answered: list[bytes]
) -> None:
    await _compare(seed, both)
    assert answered


@pytest.mark.parametrize("seed", range(3))
async def test_random_requests_get_the_same_bytes_with_and_without_the_edge_with_redis(
    seed: int, both_with_redis: Both, answered: list[bytes]
) -> None:
    await _compare(seed, both_with_redis)
    assert answered


@pytest.mark.parametrize("seed", range(3))
async def test_random_requests_get_the_same_bytes_with_and_without_the_edge_with_shared_caching(
    seed: int, both_with_shared_caching: Both, answered: list[bytes]
) -> None:
    await _compare(seed, both_with_shared_caching)
    assert answered


async def _compare(seed: int, both: Both) -> None:
    dice, tags = random.Random(seed), await _tags(both)
    for _ in range(12):
        paths = dice.sample(PATHS, 2)
        headers = [(), *dice.sample(HEADERS, 2)]
        keys = [both.keys[0], *dice.sample(both.keys, 2)]
        requests = [both.request(path, key=key) for path in paths for key in keys] * 2
        for _ in range(dice.randrange(1, 20)):
            method, version = dice.choice(METHODS), dice.choice(VERSIONS)
            path, key = dice.choice(paths), dice.choice(keys)
            request = both.request(path, *dice.choice(headers), method=method, version=version, key=key)
            requests.append(request.replace(b"{tag}", dice.choice(tags)))
        requests.append(both.request(paths[0], "Connection: close"))
        edge, application = await both.exchange(requests, pipelined=dice.random() < 0.3)
        assert _masked(edge) == _masked(application), requests


async def _tags(both: Both) -> list[bytes]:
    """Fetch the ETags of three resources, each with and without compression."""
    tags = []
    for path in ("/bundles/10", "/bundles/10/products", "/settings"):
        for headers in ((), ("Accept-Encoding: br",)):
            response = await _exchange(
                both.clients[1], [both.request(path, *headers, "Connection: close")], pipelined=True
            )
            tags += re.findall(rb"ETag: ([^\r]*)", response)
    return tags


@pytest.mark.parametrize("headers", HEADERS[:16])
@pytest.mark.parametrize("path", ["/bundles/10", "/bundles/10/products?countryCode=US", "/embed/api/v1/bundle?id=10"])
async def test_warm_reads_are_answered_at_the_edge(
    path: str, headers: tuple[str, ...], both: Both, answered: list[bytes]
) -> None:
    tag = (await _tags(both))[0].decode()
    request = both.request(path, *(header.format(tag=tag) for header in headers))
    last = both.request(path, "Connection: close")
    edge, application = await both.exchange([request, request, request, last], pipelined=False)
    assert _masked(edge) == _masked(application)
    assert len(answered) == 2


async def test_an_application_without_edge_has_none(both: Both) -> None:
    with_edge, without = both.clients
    assert FAST_PATH in with_edge.app
    assert FAST_PATH not in without.app


@pytest.mark.parametrize("redis_too", [False, True], ids=["memory", "redis"])
async def test_the_edge_takes_exactly_the_tokens_of_the_key(
    redis_too: bool,
    serve: Serve,
    settings: Settings,
    make_key: MakeKey,
    answered: list[bytes],
    redis: RedisServer,
    long_redis_timeout: None,
) -> None:
    client = await serve(settings=replace(settings, redis_url=redis.url) if redis_too else settings)
    api = Api(client, await make_key(rate_limit=6))
    statuses = [(await api.get("/bundles/10")).status for _ in range(8)]
    assert statuses == [200] * 6 + [429] * 2
    assert len(answered) == 5


async def test_dropped_data_of_a_platform_is_no_longer_answered_at_the_edge(api: Api, answered: list[bytes]) -> None:
    for _ in range(2):
        await api.get("/bundles/10")
    caller = await api.client.app[AUTHENTICATION].identify(f"Bearer {api.key}", "")
    await api.client.app[RESPONSE_CACHE].drop(caller.tenant, [])
    for _ in range(2):
        (await api.get("/bundles/10")).held()
    assert len(answered) == 2  # one before the drop, and one after the response was rendered again


async def test_the_edge_answers_nothing_while_the_service_drains(api: Api, answered: list[bytes]) -> None:
    await api.get("/bundles/10")
    api.client.app[STATISTICS].draining = True
    assert (await api.get("/bundles/10")).headers["Connection"] == "close"
    assert not answered


async def test_the_edge_counts_requests_as_the_application_does(api: Api, answered: list[bytes]) -> None:
    for _ in range(3):
        await api.get("/bundles/10")
    found, labels = await api.metrics(), f'method="GET",route="{BASE}/bundles/{{id}}"'
    assert found[f'bundlesvc_requests_total{{{labels},status="200"}}'] == 3
    assert found[f"bundlesvc_request_duration_seconds_count{{{labels}}}"] == 3
    assert len(answered) == 2
