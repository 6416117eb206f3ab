"""Attack: requests whose bodies stop half-way, or arrive a few bytes at a time."""

import asyncio
from dataclasses import replace

import orjson
import pytest

from bundlesvc.settings import Settings
from tests.api.conftest import BASE, Api, Client, MakeApi, Serve
from tests.api.raw import raw_connection, raw_exchange
from tests.api.selection import price_body
from tests.attacks.test_webhook_memory import UNSIGNED, head

TIMEOUT = 8
GOOD = orjson.dumps(price_body("1001@1"))


def slow(settings: Settings, header_timeout: float = 0.5, body_timeout: float = 3) -> Settings:
    """Deadlines that are short enough for a test."""
    return replace(settings, header_timeout=header_timeout, body_timeout=body_timeout, body_rate=1000)


@pytest.fixture
async def api(make_api: MakeApi, settings: Settings) -> Api:
    return await make_api(settings=slow(settings))


def request_head(api: Api, length: str) -> bytes:
    lines = [f"POST {BASE}/bundles/20/price HTTP/1.1", "Host: x", f"Authorization: Bearer {api.key}", length]
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.mark.parametrize(
    ("length", "sent"),
    [
        ("Content-Length: 1000", b""),
        ("Content-Length: 1000", b'{"type":'),
        ("Transfer-Encoding: chunked", b"5\r\n12345\r\n"),
        ("Transfer-Encoding: chunked", b"ff\r\n12345"),
    ],
    ids=["nothing", "half", "between chunks", "half a chunk"],
)
async def test_a_body_that_stops_times_out(api: Api, length: str, sent: bytes) -> None:
    status, headers, body = await raw_exchange(api.client, request_head(api, length) + sent)

    assert (status, orjson.loads(body)["code"]) == (400, "body_too_slow")
    assert headers["connection"] == "close"


async def test_a_webhook_that_stops_times_out(live_client: Client, serve: Serve, settings: Settings) -> None:
    client = await serve(settings=slow(settings))

    status, _, body = await raw_exchange(client, head(1000, changed=UNSIGNED) + b"{")

    assert (status, orjson.loads(body)["code"]) == (400, "body_too_slow")


async def test_a_body_below_the_minimum_rate_times_out(api: Api) -> None:
    """Some bytes every tenth of a second are less than the minimum rate."""
    assert await code_after(api, b" " * 10) == "body_too_slow"


async def test_a_body_above_the_minimum_rate_times_out_in_the_end(api: Api) -> None:
    """Slightly faster than the minimum rate, without an end."""
    assert await code_after(api, b" " * 1000) == "body_too_slow"


async def test_a_slow_body_above_the_minimum_rate_is_read(make_api: MakeApi, settings: Settings) -> None:
    """Longer than a header may take, but faster than the minimum rate."""
    api = await make_api(settings=slow(settings, header_timeout=1.0, body_timeout=30.0))
    async with raw_connection(api.client) as (reader, writer):
        writer.write(request_head(api, f"Content-Length: {len(GOOD) + 30 * 500}"))
        for _ in range(30):
            writer.write(b" " * 500)
            await asyncio.sleep(0.1)
        writer.write(GOOD)
        assert (await asyncio.wait_for(reader.readline(), TIMEOUT)).startswith(b"HTTP/1.1 200 ")


async def test_a_body_after_its_response_does_not_block_the_connection(api: Api) -> None:
    """It is not read; the response is sent at once."""
    async with raw_connection(api.client) as (reader, writer):
        writer.write(b"POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        assert (await asyncio.wait_for(reader.readline(), TIMEOUT)).startswith(b"HTTP/1.1 405 ")
        await asyncio.wait_for(reader.read(), TIMEOUT)


async def code_after(api: Api, drop: bytes) -> str:
    """The code of the response to an endless body, sent in parts of this size."""
    async with raw_connection(api.client) as (reader, writer):
        writer.write(request_head(api, f"Content-Length: {900_000}"))
        dripping = asyncio.create_task(drip(writer, drop))
        try:
            response = await asyncio.wait_for(reader.readuntil(b"}"), TIMEOUT)
        finally:
            dripping.cancel()
    return str(orjson.loads(response.partition(b"\r\n\r\n")[2])["code"])


async def drip(writer: asyncio.StreamWriter, drop: bytes) -> None:
    while True:
        writer.write(drop)
        await asyncio.sleep(0.1)
