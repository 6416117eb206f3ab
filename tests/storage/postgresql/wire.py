"""The network between us and PostgreSQL, which can go silent, be cut at a chosen word, or end our TLS.

(The server that the tests run was built without TLS.)
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress

_SSL_REQUEST = bytes.fromhex("0000000804d2162f")


class Wire:
    """Passes on every byte between its own port and the server's. What it is told to cut it cuts once."""

    def __init__(self, server_port: int, tls: ssl.SSLContext | None = None) -> None:
        self.port = 0
        self.encrypted: bool | None = None
        """Whether the newest line is."""
        self.cut_before: bytes | None = None
        """When we say this, the server does not hear it."""
        self.cut_after: bytes | None = None
        """When we say this, we do not hear what the server answers."""
        self._server_port = server_port
        self._tls = tls
        self._flows = asyncio.Event()
        self._flows.set()
        self._answer_is_lost = False
        self._lines: set[asyncio.Task[None]] = set()

    def go_silent(self) -> None:
        """From now on nothing arrives, and nobody is told."""
        self._flows.clear()

    def flow_again(self) -> None:
        self._flows.set()

    def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = asyncio.create_task(self._carry(reader, writer))
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)

    async def close(self) -> None:
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def _carry(self, our_reader: asyncio.StreamReader, our_writer: asyncio.StreamWriter) -> None:
        """A line, until one end is done; then both ends lose it at once."""
        try:
            with suppress(OSError, EOFError):
                heard = await self._greet(our_reader, our_writer)
                reader, writer = await asyncio.open_connection("127.0.0.1", self._server_port)
                writer.write(heard)
                await self._carry_on(self._ask(our_reader, writer), self._answer(reader, our_writer), writer)
        finally:
            our_writer.transport.abort()

    async def _carry_on(
        self, ask: Coroutine[None, None, None], answer: Coroutine[None, None, None], writer: asyncio.StreamWriter
    ) -> None:
        ways = [asyncio.create_task(ask), asyncio.create_task(answer)]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            writer.transport.abort()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        """Agree to TLS when we can and are asked for it; what was heard that is for the server."""
        first = await reader.readexactly(8)
        self.encrypted = self._tls is not None and first == _SSL_REQUEST
        if self._tls is None or first != _SSL_REQUEST:
            return first
        writer.write(b"S")
        await writer.start_tls(self._tls)
        return b""

    async def _ask(self, source: asyncio.StreamReader, server: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            await self._flows.wait()
            if self.cut_before is not None and self.cut_before in data:
                self.cut_before = None
                return
            if self.cut_after is not None and self.cut_after in data:
                self.cut_after = None
                self._answer_is_lost = True
            server.write(data)

    async def _answer(self, server: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await server.read(65536):
            await self._flows.wait()
            if self._answer_is_lost:
                self._answer_is_lost = False
                return
            target.write(data)


@asynccontextmanager
async def wire_to(server_port: int, tls: ssl.SSLContext | None = None) -> AsyncIterator[Wire]:
    """A wire, taken away afterwards."""
    wire = Wire(server_port, tls)
    server = await asyncio.start_server(wire.connect, "127.0.0.1", 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        await wire.close()
