"""Requests that no HTTP client would send, over a raw socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.api.conftest import Client


@asynccontextmanager
async def raw_connection(client: Client) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a connection to the running service."""
    reader, writer = await asyncio.open_connection(client.host, client.port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):  # the server may have cut it off
            await asyncio.wait_for(writer.wait_closed(), 5)


async def raw_exchange(client: Client, request: str | bytes) -> tuple[int, dict[str, str], bytes]:
    """Send a request, and return the status, the headers (names in lower case) and the body. The connection must then close.

    If the request is a string, each of its characters is sent as one byte.
    """
    async with raw_connection(client) as (reader, writer):
        writer.write(request.encode("latin-1") if isinstance(request, str) else request)
        await writer.drain()
        response = await asyncio.wait_for(reader.read(), 10)
    head, _, body = response.partition(b"\r\n\r\n")
    status_line, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(status_line.split()[1]), headers, body
