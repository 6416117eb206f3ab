"""New connections. Those beyond the limit are refused as cheaply as possible once their request has arrived."""

import asyncio
import re
import socket
from asyncio import BaseTransport, Transport
from typing import Protocol, cast

from aiohttp import web

from bundlesvc.api.server.response_bytes import response_bytes

MAX_HEAD_BYTES = 16 * 1024
SECONDS = 5.0
"""Seconds that a client beyond the limit may take to send its request, and then to close the connection."""

_ORIGIN = re.compile(rb"\r\norigin:[ \t]*([\x21-\x7e]+)[ \t]*\r\n", re.IGNORECASE)


class Server(Protocol):
    """The interface through which new connections use the server."""

    def is_operator(self, received: bytes) -> bool:
        """Whether these bytes are an operator's request, which is never refused."""

    def accept(self, transport: Transport) -> bool:
        """Open the connection if there is room for it, replacing the protocol of its transport with one that serves requests.
        Returns False when there is no room."""

    def accept_operator(self, transport: Transport, received: bytes) -> bool:
        """Return whether these bytes are an operator's request, which is never refused. If they are, open the connection and
        replace its protocol."""

    def wait(self, arrival: "PendingConnection") -> None: ...

    def crowded(self) -> web.Response: ...

    def forget(self, arrival: "PendingConnection") -> None: ...


class PendingConnection(asyncio.Protocol):
    """A new connection, until it is clear whether there is room for it."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._received = b""
        self._answered = False

    def connection_made(self, transport: BaseTransport) -> None:
        self.transport = cast("Transport", transport)
        if not self._server.accept(self.transport):
            self._timer = asyncio.get_running_loop().call_later(SECONDS, self.transport.abort)
            self._server.wait(self)

    def data_received(self, data: bytes) -> None:
        if self._answered:  # unread data on a closed connection may destroy the response
            return
        self._received += data
        if b"\r\n\r\n" not in self._received and len(self._received) < MAX_HEAD_BYTES:
            return
        self._answered = True
        if self._server.accept_operator(self.transport, self._received):
            self._leave()
            return
        self.transport.write(_refusal(self._server, self._received))
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()

    def _leave(self) -> None:
        self._timer.cancel()
        self._server.forget(self)


def refused_at_once(connection: socket.socket, server: Server) -> bool:
    """Immediately refuse a new connection beyond the limit if its request has already arrived. Returns True when the connection
    was refused."""
    try:
        received = connection.recv(MAX_HEAD_BYTES, socket.MSG_PEEK)
        if b"\r\n\r\n" not in received or server.is_operator(received):
            return False
        connection.recv(MAX_HEAD_BYTES)
        connection.send(_refusal(server, received))
    except OSError:  # nothing has arrived yet, or the client has disconnected
        return False
    connection.close()
    return True


def _refusal(server: Server, received: bytes) -> bytes:
    found = _ORIGIN.search(received)
    return response_bytes(server.crowded(), found and found[1].decode(), close=True)
