"""The head cache: a repeated request head is not parsed again, and is interpreted as it was the first time."""

import asyncio
import random

import orjson
import pytest
from aiohttp import EMPTY_PAYLOAD, StreamReader

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.app_keys import AUTHENTICATION
from bundlesvc.api.fast_path.head_cache import (
    IDLE_PERIODS,
    MAX_HEAD,
    OVERHEAD,
    HeadCache,
    Known,
    PlainGet,
    PlainPost,
    Repeated,
)
from bundlesvc.api.fast_path.pipeline import FAST_PATH
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import Api, Serve
from tests.api.fast_path.test_get_responder import Both, _both, _masked, _one_response
from tests.api.raw import raw_connection
from tests.api.running_server import server_of
from tests.api.selection import price_body
from tests.conftest import MakeKey

HEAD = b"GET /a HTTP/1.1\r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n"
NO_BODY: StreamReader = EMPTY_PAYLOAD


def recognise(message: object, payload: StreamReader) -> Known | None:
    if message == POST and payload is NO_BODY:
        return PlainPost("/a", None, 2)
    return None if message is None else PlainGet(message, "/a", None)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def ready_at_once() -> None:
    """Let the cache wait for the second time, as by default."""


@pytest.fixture
def heads() -> HeadCache:
    return HeadCache(recognise, max_bytes=10 * (OVERHEAD + 100))


def learned(heads: HeadCache, *others: bytes) -> None:
    for head in others:
        for _ in range(2):
            heads.learn(head, head, NO_BODY)  # type: ignore[arg-type]


def test_a_head_is_known_when_it_has_come_twice(heads: HeadCache) -> None:
    heads.learn(HEAD, "message", NO_BODY)  # type: ignore[arg-type]
    assert heads.find(HEAD) is None
    heads.learn(HEAD, "message", NO_BODY)  # type: ignore[arg-type]
    found = heads.find(HEAD)
    assert found is not None
    assert found.known.path == "/a"


def test_a_head_that_is_not_for_the_fast_path_is_not_known(heads: HeadCache) -> None:
    for _ in range(2):
        heads.learn(HEAD, None, NO_BODY)  # type: ignore[arg-type]
    assert heads.find(HEAD) is None


@pytest.mark.parametrize(
    "data", [POST, POST + b"1", POST + b"123", POST + b"12" + HEAD, HEAD + b"12", HEAD + HEAD, b"12", b""]
)
def test_known_head_with_another_body_is_parsed(data: bytes, heads: HeadCache) -> None:
    learned(heads, POST, HEAD)
    assert heads.find(data) is None


def test_known_head_of_a_post_is_found_with_any_body_of_its_length(heads: HeadCache) -> None:
    learned(heads, POST)
    for body in (b"12", b"34", b"\r\n"):
        found = heads.find(POST + body)
        assert found is not None
        assert found.body == body
        assert isinstance(found.known, PlainPost)


def test_head_learned_twice_at_once_is_counted_once(heads: HeadCache) -> None:
    for _ in range(3):
        learned(heads, HEAD)
    assert heads.size == OVERHEAD + len(HEAD)


def test_heads_that_nobody_sends_leave(heads: HeadCache) -> None:
    used = b"GET /used HTTP/1.1\r\n\r\n"
    learned(heads, HEAD, used)
    for _ in range(2 * IDLE_PERIODS):
        assert heads.find(used) is not None
        heads.expire()
    assert heads.find(HEAD) is None
    assert heads.find(used) is not None
    for _ in range(2 * IDLE_PERIODS):
        heads.expire()
    assert heads.size == 0


def test_heads_take_no_more_memory_than_they_may(heads: HeadCache) -> None:
    for number in range(100):
        learned(heads, b"%d" % number)
        assert heads.size <= 10 * (OVERHEAD + 100)
    assert heads.find(b"99") is not None
    assert heads.find(b"0") is None


async def test_a_head_that_comes_again_is_not_parsed_again(
    serve: Serve, settings: Settings, make_key: MakeKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = await _both(serve, settings, make_key)
    request, edge = both.request("/bundles/10"), both.clients[0]
    recognised: list[RawRequestMessage] = []
    heads = edge.app[FAST_PATH].heads
    begin = edge.app[FAST_PATH].begin

    def remembering(message: RawRequestMessage, *arguments: object) -> object:
        recognised.append(message)
        return begin(message, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(edge.app[FAST_PATH], "begin", remembering)
    async with raw_connection(edge) as (reader, writer):
        for _ in range(6):
            writer.write(request)
            await _one_response(reader, head=False)
    assert len(recognised) == 6
    assert len(set(map(id, recognised[-3:]))) == 1
    assert heads.size == OVERHEAD + len(request)


async def test_a_price_with_a_known_head_is_that_of_its_body(
    serve: Serve, settings: Settings, make_key: MakeKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = await _both(serve, settings, make_key)
    not_parsed: list[bytes] = []
    edge_heads = both.clients[0].app[FAST_PATH].heads
    find = edge_heads.find

    def finding(data: bytes) -> Repeated | None:
        found = find(data)
        not_parsed.extend([found.body] if found else [])
        return found

    monkeypatch.setattr(edge_heads, "find", finding)
    price = _price(both)
    other, refused = (price.replace(b'"1001"', variant) for variant in (b'"1002"', b'"1009"'))
    requests = [*[price, other] * 4, refused, both.request("/bundles/10", "Connection: close")]
    edge, application = await both.exchange(requests, pipelined=False)
    assert _masked(edge) == _masked(application)
    assert not_parsed[-3:] == [piece.partition(b"\r\n\r\n")[2] for piece in (price, other, refused)]


async def test_body_that_waited_while_a_request_was_passed_on_is_parsed(
    serve: Serve, settings: Settings, make_key: MakeKey
) -> None:
    """While aiohttp's task takes the messages, a message must come with its body."""
    both = await _both(serve, settings, make_key)
    price = _price(both)
    async with raw_connection(both.clients[0]) as (reader, writer):
        for _ in range(5):
            writer.write(price)
            await _one_response(reader, head=False)
        (connection,) = server_of(both.clients[0])._open
        assert both.clients[0].app[FAST_PATH].heads.find(price)
        connection._is_busy = True
        connection._read(price)
        assert connection._repeated is None
        assert connection.messages[-1][1].total_bytes == len(price.partition(b"\r\n\r\n")[2])
        connection._is_busy = False
        connection._proceed()
        assert (await _one_response(reader, head=False)).startswith(b"HTTP/1.1 200")


async def test_a_long_head_is_parsed_each_time(serve: Serve, settings: Settings, make_key: MakeKey) -> None:
    both = await _both(serve, settings, make_key)
    request = both.request("/bundles/10", f"Cookie: {'x' * MAX_HEAD}")
    await both.exchange([request] * 4 + [both.request("/bundles/10", "Connection: close")], pipelined=False)
    assert both.clients[0].app[FAST_PATH].heads.size == 0


async def test_the_key_of_a_known_head_can_be_revoked(api: Api, database: Database) -> None:
    for _ in range(5):
        (await api.get("/bundles/10")).held()
    assert api.client.app[FAST_PATH].heads.size
    await SqlKeyStore(database).revoke_key(str(api.key)[:16])
    await api.client.app[AUTHENTICATION].refresh()
    assert (await api.get("/bundles/10")).status == 403


@pytest.mark.parametrize("seed", range(4))
async def test_pieces_of_requests_get_the_same_bytes_with_and_without_the_edge(
    seed: int, serve: Serve, settings: Settings, make_key: MakeKey
) -> None:
    """Requests sent in random pieces get the same responses, byte for byte, with and without the fast path, even when cached and
    incomplete request heads are mixed."""
    both, dice = await _both(serve, settings, make_key), random.Random(seed)
    known, price = both.request("/bundles/10"), _price(both)
    odd = [
        both.request("/bundles/10/products"),
        both.request("/bundles/10", "Content-Length: 0"),
        both.request("/bundles/10/price", "Content-Length: 2", "", "{}", method="POST"),
        price.replace(b'"1001"', b'"1009"'),  # the application refuses this request, and reads its body again
        price + known,
        price + price,
        both.request("/bundles/10/price", "Transfer-Encoding: chunked", "", "2", "{}", "0", "", "", method="POST"),
        both.request("/bundles/10/price", "Content-Length: 4", "", "\r\n\r\n", method="POST"),
        both.request("/bundles/10", "Transfer-Encoding: chunked", "", "0", "", ""),
        b"\r\n" + known,
        known + b"\r\n\r\n",
        known + known,
    ]
    pieces = [*[known] * 4, *[price] * 4]
    for _ in range(30):
        request = dice.choice([known, known, price, price, *odd])
        if dice.random() < 0.5:
            place = dice.randrange(len(request) + 1)
            pieces += [request[:place], request[place:]]
        else:
            pieces.append(request)
    pieces.append(both.request("/bundles/10", "Connection: close"))
    edge, application = [await _sent(both, number, pieces) for number in range(2)]
    assert _masked(edge) == _masked(application), pieces
    assert both.clients[0].app[FAST_PATH].heads.size


def _price(both: Both) -> bytes:
    body = orjson.dumps(price_body("1001@1", "1001@1")).decode()
    return both.request("/bundles/10/price", f"Content-Length: {len(body)}", "", body, method="POST")


async def _sent(both: Both, number: int, pieces: list[bytes]) -> bytes:
    """Send pieces one by one to a process, and return everything that the process sends back."""
    received = b""
    async with raw_connection(both.clients[number]) as (reader, writer):
        for piece in pieces:
            if piece:
                writer.write(piece)
                await writer.drain()
                received += await _so_far(reader)
        return received + await reader.read()


async def _so_far(reader: asyncio.StreamReader) -> bytes:
    """Read what arrives within a short time. Nothing arrives while a request is incomplete."""
    try:
        return await asyncio.wait_for(reader.read(1 << 20), 0.02)
    except TimeoutError:
        return b""
