"""Attack: requests whose bodies stop half-way, or arrive a few bytes at a time."""

import asyncio
from dataclasses import replace

import orjson
import pytest

from bundlesvc.api.server import connections
from bundlesvc.settings.environment import Settings
from tests.api.conftest import BASE, Api, Client, MakeApi
from tests.api.raw import raw_connection
from tests.api.selection import price_body
from tests.attacks.passing_time import TIMEOUT, PassingTime, has_body_of
from tests.attacks.webhooks.test_webhook_memory import UNSIGNED, head

pytestmark = pytest.mark.usefixtures("no_sweeps")

HEADER_SECONDS, BODY_SECONDS, RATE = 10, 60, 1000
GOOD = orjson.dumps(price_body("1001@1"))


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, header_timeout=HEADER_SECONDS, body_timeout=BODY_SECONDS, body_rate=RATE)


def request_head(api: Api, length: str) -> bytes:
    lines = [f"POST {BASE}/bundles/20/price HTTP/1.1", "Host: x", f"Authorization: Bearer {api.key}", length]
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.mark.parametrize(
    ("length", "sent", "size"),
    [
        ("Content-Length: 1000", b"", 0),
        ("Content-Length: 1000", b'{"type":', 8),
        ("Transfer-Encoding: chunked", b"5\r\n12345\r\n", 5),
        ("Transfer-Encoding: chunked", b"ff\r\n12345", 5),
    ],
    ids=["nothing", "half", "between chunks", "half a chunk"],
)
async def test_a_body_that_stops_times_out(api: Api, length: str, sent: bytes, size: int) -> None:
    await assert_times_out(api.client, request_head(api, length) + sent, size)


async def test_a_webhook_that_stops_times_out(live_client: Client) -> None:
    await assert_times_out(live_client, head(1000, changed=UNSIGNED) + b"{", 1)


async def assert_times_out(client: Client, sent: bytes, size: int) -> None:
    """Assert that a request whose body stops after `size` bytes gets an error when its time is up, and not earlier."""
    async with raw_connection(client) as (reader, writer):
        writer.write(sent)
        time = PassingTime(client)
        await time.until(has_body_of(size))
        time.seconds(HEADER_SECONDS - 0.1)
        assert not time.closed
        time.seconds(0.2)
        assert time.closed == {"body": 1}
        header, _, body = (await asyncio.wait_for(reader.read(), TIMEOUT)).partition(b"\r\n\r\n")
    assert header.startswith(b"HTTP/1.1 400 ")
    assert b"\r\nconnection: close" in header.lower()
    assert orjson.loads(body)["code"] == "body_too_slow"


async def test_a_body_below_the_minimum_rate_times_out(api: Api) -> None:
    assert await seconds_of(api, RATE // 2) == HEADER_SECONDS


async def test_a_body_that_came_fast_and_then_slowly_times_out(api: Api) -> None:
    """A body that is fast at first and then too slow times out, because only the rate of the last two seconds counts."""
    assert await seconds_of(api, RATE // 2, first=150_000) == HEADER_SECONDS


async def test_a_body_above_the_minimum_rate_times_out_in_the_end(api: Api) -> None:
    assert await seconds_of(api, RATE * 2) == BODY_SECONDS


async def seconds_of(api: Api, rate: int, first: int = 0) -> int:
    """Return the number of seconds after which an endless body that arrives at this rate is refused."""
    async with raw_connection(api.client) as (reader, writer):
        writer.write(request_head(api, "Content-Length: 250000"))
        time, seconds = PassingTime(api.client), 0
        while not time.closed:
            writer.write(b" " * (rate if seconds else rate + first))
            seconds += 1
            await time.until(has_body_of(first + seconds * rate))
            time.seconds(1)
        response = await asyncio.wait_for(reader.readuntil(b"}"), TIMEOUT)
    assert orjson.loads(response.partition(b"\r\n\r\n")[2])["code"] == "body_too_slow"
    return seconds


async def test_a_slow_body_above_the_minimum_rate_is_read(api: Api) -> None:
    """A slow body above the minimum rate is read, even if it takes much longer than the headers are allowed to take."""
    parts, part = BODY_SECONDS - 1, b" " * RATE
    async with raw_connection(api.client) as (reader, writer):
        writer.write(request_head(api, f"Content-Length: {len(GOOD) + parts * len(part)}"))
        time = PassingTime(api.client)
        for sent in range(parts):
            writer.write(part)
            await time.until(has_body_of((sent + 1) * len(part)))
            time.seconds(1)
        writer.write(GOOD)
        assert (await asyncio.wait_for(reader.readline(), TIMEOUT)).startswith(b"HTTP/1.1 200 ")


async def test_a_body_after_its_response_does_not_block_the_connection(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The response is sent immediately when a body is not needed; the unread body does not block the connection."""
    monkeypatch.setattr(connections, "LINGER_SECONDS", 0.1)
    async with raw_connection((await make_api()).client) as (reader, writer):
        writer.write(b"POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        assert (await asyncio.wait_for(reader.readline(), TIMEOUT)).startswith(b"HTTP/1.1 405 ")
        await asyncio.wait_for(reader.read(), TIMEOUT)
