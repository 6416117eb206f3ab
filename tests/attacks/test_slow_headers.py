"""Attack: connections that send nothing, or half a header, and stay open."""

import asyncio
from dataclasses import replace

import pytest

from bundlesvc.settings import Settings
from tests.api.conftest import Client, Serve
from tests.api.raw import raw_connection

HEADER_SECONDS = 0.5
TIMEOUT = 8
"""Seconds after which a test gives up waiting for the end of a connection; without deadlines it stayed open for an hour."""


@pytest.fixture
async def client(serve: Serve, settings: Settings) -> Client:
    return await serve(settings=replace(settings, header_timeout=HEADER_SECONDS, keepalive_timeout=HEADER_SECONDS))


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
async def test_an_idle_connection_is_closed(client: Client, sent: bytes) -> None:
    async with raw_connection(client) as (reader, writer):
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
        writer.write(sent)

        assert await ended(reader)


async def test_a_connection_with_regular_requests_stays_open(serve: Serve, settings: Settings) -> None:
    client = await serve(settings=replace(settings, header_timeout=HEADER_SECONDS, keepalive_timeout=60))
    async with raw_connection(client) as (reader, writer):
        for _ in range(4):
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readuntil(b'"ok"}')).startswith(b"HTTP/1.1 200 ")
            await asyncio.sleep(HEADER_SECONDS)


async def test_unread_responses_end_the_connection(serve: Serve, settings: Settings) -> None:
    """Megabytes are requested over one connection, and never read."""
    client = await serve(settings=replace(settings, body_timeout=HEADER_SECONDS))
    wanted = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    async with raw_connection(client) as (_, writer):
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(send_requests_regularly(writer, wanted), TIMEOUT)


async def send_requests_regularly(writer: asyncio.StreamWriter, wanted: bytes) -> None:
    while True:
        writer.write(wanted * 10)
        await writer.drain()
        await asyncio.sleep(0.05)


async def drip(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"X-A: b\r\n")
        await asyncio.sleep(0.1)


async def ended(reader: asyncio.StreamReader) -> bool:
    """Whether the service closes the connection in time."""
    try:
        await asyncio.wait_for(reader.read(), TIMEOUT)
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True
