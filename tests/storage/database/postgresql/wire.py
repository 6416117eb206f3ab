"""A network between the service and PostgreSQL that can fall silent, be cut at a chosen message, or terminate TLS.

(The PostgreSQL server that the tests run was built without TLS.)
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress

_SSL_REQUEST = bytes.fromhex("0000000804d2162f")


class Wire:
    """Forwards every byte between its own port and the server's port. `cut_before` and `cut_after` each take effect only once."""

    def __init__(self, server_port: int, tls: ssl.SSLContext | None = None) -> None:
        self.port = 0
        self.encrypted: bool | None = None
        """Whether the newest connection uses TLS; None before the first connection."""
        self.cut_before: bytes | None = None
        """Messages that contain these bytes do not reach the server."""
        self.cut_after: bytes | None = None
        """Responses to messages that contain these bytes do not reach the client."""
        self.accepted = 0
        """The number of connections so far."""
        self.server_port = server_port
        """The port to which the next connection is forwarded."""
        self._tls = tls
        self._flows = asyncio.Event()
        self._flows.set()
        self._response_is_lost = False
        self._connections: set[asyncio.Task[None]] = set()

    def go_silent(self) -> None:
        """Stop forwarding: from now on nothing arrives, and no connection is closed."""
        self._flows.clear()

    def flow_again(self) -> None:
        self._flows.set()

    def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        line = asyncio.create_task(self._carry(reader, writer))
        self._connections.add(line)
        line.add_done_callback(self._connections.discard)
        line.add_done_callback(lambda _: writer.transport.abort())  # even if the task never starts

    async def close(self) -> None:
        for line in self._connections:
            line.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _carry(self, our_reader: asyncio.StreamReader, our_writer: asyncio.StreamWriter) -> None:
        """Forward one connection until either end closes it. Then close both ends immediately."""
        try:
            with suppress(OSError, EOFError):
                received = await self._greet(our_reader, our_writer)
                reader, writer = await asyncio.open_connection("127.0.0.1", self.server_port)
                writer.write(received)
                await self._carry_on(
                    self._send_requests(our_reader, writer), self._send_responses(reader, our_writer), writer
                )
        finally:
            our_writer.transport.abort()

    async def _carry_on(
        self,
        requests: Coroutine[None, None, None],
        responses: Coroutine[None, None, None],
        writer: asyncio.StreamWriter,
    ) -> None:
        ways = [asyncio.create_task(requests), asyncio.create_task(responses)]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            writer.transport.abort()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        """Accept TLS if the client requests it and it is available. Returns the bytes that must be forwarded to the server."""
        first = await reader.readexactly(8)
        self.encrypted = self._tls is not None and first == _SSL_REQUEST
        if self._tls is None or first != _SSL_REQUEST:
            return first
        writer.write(b"S")
        await writer.start_tls(self._tls)
        return b""

    async def _send_requests(self, source: asyncio.StreamReader, server: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            await self._flows.wait()
            if self.cut_before is not None and self.cut_before in data:
                self.cut_before = None
                return
            if self.cut_after is not None and self.cut_after in data:
                self.cut_after = None
                self._response_is_lost = True
            server.write(data)

    async def _send_responses(self, server: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await server.read(65536):
            await self._flows.wait()
            if self._response_is_lost:
                self._response_is_lost = False
                return
            target.write(data)


@asynccontextmanager
async def wire_to(server_port: int, tls: ssl.SSLContext | None = None) -> AsyncIterator[Wire]:
    """Forward a port to the server through a `Wire`, and close all connections on exit."""
    wire = Wire(server_port, tls)
    server = await asyncio.start_server(wire.connect, "127.0.0.1", 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        await wire.close()
