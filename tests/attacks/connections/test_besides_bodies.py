"""Attack: clients send little or no body, but a lot of other data: long heads, trailers, tiny chunks."""

import asyncio
from collections.abc import Iterator

import orjson
import pytest
from aiohttp.base_protocol import BaseProtocol
from aiohttp.streams import StreamReader
from aiohttp.test_utils import make_mocked_request

from bundlesvc.api.bodies.memory import BodyMemory, Sender
from bundlesvc.api.bodies.reading import receive_body
from bundlesvc.api.overload import SLOT, Load
from bundlesvc.api.server.framing import MAX_CHUNKING, MAX_HEAD
from bundlesvc.domain.errors import InvalidJson
from tests.api.conftest import BASE, Api
from tests.api.raw import raw_connection, raw_exchange
from tests.attacks.attackers import Attackers
from tests.attacks.service import CONFIGURE, EMBED_API, PRICE, Attacked, attacked
from tests.attacks.withstanding import SECONDS, Attack, withstand
from tests.process.shop import BOX

LINE = "x" * 1000
CHUNKED = ("Transfer-Encoding: chunked", "Content-Type: application/json")


def head(api: Api, *lines: str, method: str = "POST", path: str = f"{BASE}/bundles/10/price") -> bytes:
    own = [f"{method} {path} HTTP/1.1", "Host: x", f"Authorization: Bearer {api.key}"]
    return "\r\n".join([*own, *lines, "", ""]).encode()


def chunks(body: bytes, size: int) -> bytes:
    parts = (body[start : start + size] for start in range(0, len(body), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)


def many_lines(size: int) -> list[str]:
    return [f"X-{number}: {LINE}" for number in range(size // len(LINE))]


async def test_long_head_is_refused_before_it_ends(api: Api) -> None:
    sent = head(api, *many_lines(MAX_HEAD + 10_000), method="GET")[:-2]
    status, _, body = await raw_exchange(api.client, sent)
    assert (status, orjson.loads(body)["code"]) == (400, "invalid_request")


async def test_long_head_is_refused_behind_a_response(api: Api) -> None:
    """A long request head is refused even when it is pipelined in the same packets as another request."""
    sent = head(api, method="GET") + head(api, *many_lines(MAX_HEAD + 20_000))[:-2]
    _, _, rest = await raw_exchange(api.client, sent)
    assert rest.count(b"HTTP/1.1 400") + rest.count(b"HTTP/1.0 400") == 1


async def test_head_below_the_limit_is_read(api: Api) -> None:
    sent = head(api, *many_lines(MAX_HEAD - 5000), "Connection: close", method="GET", path=f"{BASE}/bundles/10")
    status, _, _ = await raw_exchange(api.client, sent)
    assert status == 200


@pytest.mark.parametrize(
    "sent",
    [chunks(b" " * 5000, 1), b"1\r\n{\r\n0\r\n" + "\r\n".join(many_lines(20_000)).encode(), b"1;" + b"x" * 20_000],
    ids=["tiny chunks", "trailers", "extensions"],
)
async def test_body_with_much_besides_is_refused_before_it_ends(api: Api, sent: bytes) -> None:
    status, _, body = await raw_exchange(api.client, head(api, *CHUNKED) + sent)
    assert (status, orjson.loads(body.partition(b"HTTP/1")[0])["code"]) == (400, "invalid_json")


@pytest.mark.parametrize("size", [32, 1000, 100_000])
async def test_usual_chunks_are_read(api: Api, size: int) -> None:
    """Chunks of a usual size are read. On a reused connection, the overhead of the first request does not count towards the
    second."""
    body = b" " * 100_000 + b"[]"
    sent = head(api, *CHUNKED) + chunks(body, size) + b"0\r\n\r\n"
    async with raw_connection(api.client) as (reader, writer):
        for _ in range(2):
            writer.write(sent)
            response = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
            assert response.startswith(b"HTTP/1.1 400 ")
            length = int(response.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            assert orjson.loads(await reader.readexactly(length))["code"] == "invalid_request"  # the body is a list


async def test_pipeline_of_long_bodies_is_read(api: Api) -> None:
    """A pipeline of long bodies is read: bodies that wait in the service while earlier bodies are read do not count as
    overhead."""
    body = b" " * 100_000 + b"[]"
    sent = head(api, *CHUNKED) + chunks(body, 40) + b"0\r\n\r\n"
    sent += head(api, f"Content-Length: {len(body)}") + body
    _, _, responses = await raw_exchange(api.client, sent * 4 + head(api, "Connection: close", method="GET"))
    assert responses.count(b'"code":"invalid_request"') == 8


async def test_few_tiny_chunks_are_read(api: Api) -> None:
    body = b"[" + b" " * (MAX_CHUNKING // 10) + b"]"
    sent = head(api, *CHUNKED, "Connection: close") + chunks(body, 1) + b"0\r\n\r\n"
    _, _, response = await raw_exchange(api.client, sent)
    assert orjson.loads(response)["code"] == "invalid_request"


async def test_client_that_has_gone_is_no_fault_of_the_service() -> None:
    content = StreamReader(BaseProtocol(asyncio.get_running_loop()), 2**16, loop=asyncio.get_running_loop())
    request = make_mocked_request("POST", "/", payload=content)
    request[SLOT] = Load(1).begin()
    request._protocol.transport = None
    with pytest.raises(InvalidJson):
        await receive_body(request, BodyMemory(1000), lambda _: Sender("a", ()), 1000, bytes)


def long_heads(attacked: Attacked, many: Attackers) -> None:
    lines = b"".join(b"X-%d: %b\r\n" % (number, b"y" * 8000) for number in range(100))
    sent = attacked.head("GET", f"{EMBED_API}/bundle?id={BOX}")[:-2] + lines
    many.hold(1500, lambda _: sent, SECONDS)


def many_headers(attacked: Attacked, many: Attackers) -> None:
    sent = attacked.head("GET", f"{EMBED_API}/bundle?id={BOX}")[:-2] + b"".join(
        b"X%d:y\r\n" % each for each in range(20_000)
    )
    many.hold(800, lambda _: sent, SECONDS)


def long_trailers(attacked: Attacked, many: Attackers) -> None:
    lines = b"".join(b"X-%d: %b\r\n" % (number, b"y" * 7000) for number in range(60))
    sent = attacked.head("POST", PRICE, Transfer_Encoding="chunked") + b"1\r\n{\r\n0\r\n" + lines
    many.hold(600, lambda _: sent, SECONDS)


def tiny_chunks(attacked: Attacked, many: Attackers) -> None:
    sent = attacked.head("POST", CONFIGURE, Transfer_Encoding="chunked") + b"1\r\n \r\n" * 60_000
    many.hold(400, lambda number: sent.replace(b"203.0.113.1", b"203.0.113.%d" % (number % 250)), SECONDS)


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with attacked(tmp_path_factory.mktemp("attacked")) as service:
        yield service


@pytest.mark.process
@pytest.mark.parametrize(
    "attack", [long_heads, many_headers, long_trailers, tiny_chunks], ids=lambda attack: attack.__name__
)
def test_others_are_served_and_memory_is_bounded(service: Attacked, attack: Attack) -> None:
    withstand(service, attack)
    assert 'status="500"' not in service.server.get("/metrics").body.decode()
