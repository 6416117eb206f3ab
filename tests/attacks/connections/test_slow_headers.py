"""Attack: connections that send nothing, or half a header, and stay open."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from bundlesvc.api.server.connection import Connection
from bundlesvc.settings.environment import Settings
from tests.api.conftest import Client, Serve
from tests.api.raw import raw_connection
from tests.attacks.passing_time import TIMEOUT, PassingTime

SHORT = 0.1
"""A short timeout in seconds, for clients that are cut off in any case."""

LONG = 60
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture
async def client(quick_sweeps: None, serve: Serve, settings: Settings) -> Client:
    return await serve(settings=replace(settings, header_timeout=SHORT, keepalive_timeout=LONG))


@pytest.mark.parametrize(
    "sent", [b"", b"GET", b"GET /healthz HTTP/1.1\r\nHost: x\r\n"], ids=["nothing", "a word", "half"]
)
async def test_a_missing_header_ends_the_connection(client: Client, sent: bytes) -> None:
    async with raw_connection(client) as (reader, writer):
        writer.write(sent)

        assert await ended(reader)


async def test_a_slow_header_ends_the_connection(client: Client) -> None:
    async with raw_connection(client) as (reader, writer):
        writer.write(b"GET /healthz HTTP/1.1\r\n")
        dripping = asyncio.create_task(drip(writer))
        try:
            assert await ended(reader)
        finally:
            dripping.cancel()


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\n"], ids=["nothing", "half a header"])
async def test_an_idle_connection_is_closed(quick_sweeps: None, serve: Serve, settings: Settings, sent: bytes) -> None:
    client = await serve(settings=replace(settings, header_timeout=LONG, keepalive_timeout=SHORT))
    async with raw_connection(client) as (reader, writer):
        writer.write(REQUEST)
        assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
        writer.write(sent)

        assert await ended(reader)


async def test_a_connection_with_regular_requests_stays_open(no_sweeps: None, serve: Serve, settings: Settings) -> None:
    client = await serve(settings=replace(settings, header_timeout=10, keepalive_timeout=75))
    async with raw_connection(client) as (reader, writer):
        time = PassingTime(client)
        for count in range(4):
            writer.write(REQUEST)
            assert (await reader.readuntil(b'"ok"}')).startswith(b"HTTP/1.1 200 ")
            await time.until(has_answered(count + 1))
            time.seconds(74)
            assert not time.closed
        time.seconds(2)
        assert time.closed == {"keepalive": 1}


def has_answered(count: int) -> Callable[[Connection], bool]:
    """Return a function that tells whether a connection has received exactly this many requests."""
    return lambda connection: connection._request_count == count


async def test_unread_responses_end_the_connection(quick_sweeps: None, serve: Serve, settings: Settings) -> None:
    """A client that requests megabytes over a connection and never reads them loses the connection."""
    client = await serve(settings=replace(settings, body_timeout=SHORT))
    wanted = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    async with raw_connection(client) as (_, writer):
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(send_requests_regularly(writer, wanted), TIMEOUT)


async def send_requests_regularly(writer: asyncio.StreamWriter, wanted: bytes) -> None:
    while True:
        writer.write(wanted * 10)
        await writer.drain()
        await asyncio.sleep(SHORT / 5)


async def drip(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"X-A: b\r\n")
        await asyncio.sleep(SHORT / 5)


async def ended(reader: asyncio.StreamReader) -> bool:
    """Whether the service closes the connection in time."""
    try:
        await asyncio.wait_for(reader.read(), TIMEOUT)
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True
