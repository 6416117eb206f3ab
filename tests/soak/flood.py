"""Connections that always have a request in flight, in a separate process so that the load does not distort other measurements.

python -m tests.soak.flood ADDRESS KEY CONNECTIONS

runs until its standard input is closed, and prints a summary as JSON."""

import asyncio
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlsplit

import orjson
import uvloop

from tests.process.serving import BASE, selection
from tests.process.shop import BOX, MUG, PLAIN_MUG, SHIRT, SHIRT_M

RECONNECT_SECONDS = 0.1
NICENESS = 10
"""The niceness of this process: an operator's clients run on other hosts, so this process must not take cores from the
service."""
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_RETRY_AFTER = re.compile(rb"\r\nretry-after: *\d", re.IGNORECASE)
_ACCEPTED = b"200"
_REFUSED = (b"429", b"503")


@dataclass
class Flood:
    """The responses received on all connections. `seconds` contains the durations of accepted requests, `unexplained` is the
    number of refusals without `Retry-After`, and `broken` is the number of connections that ended before a response."""

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    unexplained: int = 0
    broken: int = 0

    def record(self, head: bytes, seconds: float) -> None:
        status = head[9:12]
        self.statuses[status.decode("latin-1")] += 1
        if status == _ACCEPTED:
            self.seconds.append(seconds)
        elif status in _REFUSED and not _RETRY_AFTER.search(head):
            self.unexplained += 1

    def summary(self) -> dict[str, object]:
        """Return the summary to print. Its `seconds` is the 99th percentile of the durations of accepted requests."""
        ordered = sorted(self.seconds)
        p99 = ordered[len(ordered) * 99 // 100] if ordered else 0.0
        return {"statuses": dict(self.statuses), "seconds": p99, "unexplained": self.unexplained, "broken": self.broken}


class Busy(asyncio.Protocol):
    """A connection that sends its requests in turn, each one after the response to the previous one."""

    def __init__(self, flood: Flood, requests: Sequence[bytes], first: int) -> None:
        self._flood, self._requests, self._next = flood, requests, first
        self._loop = asyncio.get_running_loop()
        self._received = b""
        self._sent_at = 0.0
        self.ended: asyncio.Future[None] = self._loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._send()

    def _send(self) -> None:
        self._received = b""
        self._next += 1
        self._sent_at = self._loop.time()
        self._transport.write(self._requests[self._next % len(self._requests)])

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, _, body = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if length is not None and len(body) >= int(length[1]):
            self._flood.record(head, self._loop.time() - self._sent_at)
            self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        self._flood.broken += 1
        if not self.ended.done():
            self.ended.set_result(None)


def requests(host: str, key: str) -> list[bytes]:
    """Build the requests that one connection sends: read and price requests, most of which are served from the cache."""
    body = orjson.dumps({**selection("native", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 2)), "countryCode": "JP"})
    own = f"Host: {host}\r\nAuthorization: Bearer {key}\r\n"
    read = [
        f"GET {BASE}/bundles/{BOX}{path} HTTP/1.1\r\n{own}\r\n".encode() for path in ("", "/products?countryCode=JP")
    ]
    own += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    price = f"POST {BASE}/bundles/{BOX}/price HTTP/1.1\r\n{own}\r\n"
    return [*read, price.encode() + body]


async def flood(address: str, key: str, connections: int) -> Flood:
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or 0
    found = Flood()
    sent = requests(parts.netloc, key)

    async def keep_busy(number: int) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                _, busy = await loop.create_connection(lambda: Busy(found, sent, number), host, port)
            except OSError:
                pass  # the service was killed, and is restarting
            else:
                await busy.ended
            await asyncio.sleep(RECONNECT_SECONDS)

    tasks = [asyncio.create_task(keep_busy(number)) for number in range(connections)]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


def main() -> None:
    address, key, connections = sys.argv[1:]
    os.nice(NICENESS)
    found = uvloop.run(flood(address, key, int(connections)))
    sys.stdout.write(json.dumps(found.summary()))


if __name__ == "__main__":
    main()
