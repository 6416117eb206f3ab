"""Attackers with many connections, and the cost of their attack."""

import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tests.process.serving import Server

RATE = 64 * 2**20
"""Bytes per second that all attackers together send: half a gigabit. The network in front of the service must stop anything above
this rate."""


@dataclass
class Attackers:
    """Many connections to a service. They never block: data that the service does not read is not sent."""

    server: Server
    connections: int = 0
    sent: int = 0
    _since: float = field(default_factory=time.monotonic)
    _open: dict[socket.socket, bytes] = field(default_factory=dict)
    """The bytes that are still to be sent on each connection."""

    def __str__(self) -> str:
        return f"  cost: {self.connections} connections, {self.sent / 2**20:.1f} MiB"

    def hold(self, count: int, request: Callable[[int], bytes], seconds: float) -> None:
        """Keep `count` connections open, each of which sends its request and then waits. Connections that end are replaced."""
        self.flood(count, request, seconds, repeat=False)

    def flood(
        self,
        count: int,
        request: Callable[[int], bytes],
        seconds: float,
        *,
        repeat: bool = True,
        until: Callable[[], bool] = lambda: False,
    ) -> None:
        """Keep `count` connections open, each of which sends a request. With `repeat`, each connection sends another request
        after every response.

        `request` creates a request from an increasing number."""
        end, number = time.monotonic() + seconds, 0
        while time.monotonic() < end and not until():
            while len(self._open) < count and (client := self._connect()) is not None:
                self._open[client] = request(number)
                number += 1
            number = self._turn(request, number, repeat=repeat)
        self.close()

    def drip(self, count: int, head: bytes, part: bytes, pause: float, seconds: float) -> None:
        """Keep `count` connections open, each of which sends the head with a part of the body, and another part after each
        pause."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for client in list(self._open):
                self._open[client] += part
            while len(self._open) < count and (added := self._connect()) is not None:
                self._open[added] = head + part
            until = time.monotonic() + pause
            while time.monotonic() < until:
                self._turn(lambda _: b"", 0, repeat=False)
        self.close()

    def close(self) -> None:
        for client in self._open:
            client.close()
        self._open.clear()

    def _connect(self) -> socket.socket | None:
        try:
            client = socket.create_connection(("127.0.0.1", self.server.port), 1)
        except OSError:
            return None
        client.setblocking(False)
        self.connections += 1
        return client

    def _turn(self, request: Callable[[int], bytes], number: int, *, repeat: bool) -> int:
        """Send what can be sent, and read what has arrived, on all open connections. With `repeat`, connections that received a
        response get another request. Returns the next request number."""
        poll, by_file = select.poll(), {client.fileno(): client for client in self._open}
        may_send = self.sent < RATE * (time.monotonic() - self._since)
        for client, rest in self._open.items():
            poll.register(client, select.POLLIN | (select.POLLOUT if rest and may_send else 0))
        for file, event in poll.poll(10):
            client = by_file[file]
            if event & select.POLLOUT:
                self._send(client)
            if event & ~select.POLLOUT:
                if not self._reads(client):
                    client.close()
                    del self._open[client]
                elif repeat and not self._open[client]:
                    self._open[client] = request(number)
                    number += 1
        time.sleep(0.001)
        return number

    def _send(self, client: socket.socket) -> None:
        with suppress(OSError):
            count = client.send(self._open[client][: 2**18])
            self._open[client] = self._open[client][count:]
            self.sent += count

    def _reads(self, client: socket.socket) -> bool:
        """Read from a connection, and return whether it is still open."""
        try:
            return bool(client.recv(2**18))
        except BlockingIOError:
            return True
        except OSError:
            return False


@contextmanager
def attackers(server: Server) -> Iterator[Attackers]:
    """Attackers whose connections are closed when the context ends."""
    found = Attackers(server)
    try:
        yield found
    finally:
        found.close()
