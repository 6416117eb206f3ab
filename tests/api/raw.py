"""Requests that no HTTP client would send, over a bare socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.api.conftest import Client


@asynccontextmanager
async def raw_connection(client: Client) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection to the running service."""
    reader, writer = await asyncio.open_connection(client.host, client.port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):  # it may have been cut off on purpose
            await asyncio.wait_for(writer.wait_closed(), 5)


async def raw_exchange(client: Client, request: str | bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers (names in lower case) and body of the response to a request, after which the connection must close.

    Of text each character is a byte.
    """
    async with raw_connection(client) as (reader, writer):
        writer.write(request.encode("latin-1") if isinstance(request, str) else request)
        await writer.drain()
        response = await asyncio.wait_for(reader.read(), 10)
    head, _, body = response.partition(b"\r\n\r\n")
    status_line, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(status_line.split()[1]), headers, body
