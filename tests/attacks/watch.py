"""The effect of an attack on other clients, which send requests while the attack runs, and on the memory of the service."""

import http.client
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles

from tests.process.serving import TIMEOUT, Server

PAUSE = 0.02
"""Seconds between two requests of a client."""

MEMORY_SECONDS = 0.05
SPLIT_SECONDS = 0.02
"""Seconds between the two halves of a body that arrives in two parts, as over a mobile network."""


@dataclass(frozen=True)
class Call:
    """A request that an ordinary client repeats while the attack runs. With `halves`, its body arrives in two parts."""

    name: str
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""
    halves: bool = False


@dataclass
class Served:
    """How a caller was served: the duration of each response in seconds, and every response other than a 200."""

    call: Call
    seconds: list[float] = field(default_factory=list)
    failures: list[object] = field(default_factory=list)

    def __str__(self) -> str:
        found = sorted(self.seconds) or [0.0]
        ninety_ninth = quantiles(found, n=100, method="inclusive")[98] if len(found) > 1 else found[0]
        figures = f"{median(found) * 1000:.1f} / {ninety_ninth * 1000:.0f} / {found[-1] * 1000:.0f} ms"
        total = len(self.failures) + len(self.seconds)
        return f"{self.call.name}: {figures}, {len(self.failures)} of {total} failed"


@dataclass
class Report:
    """The results for all callers, and the greatest growth of the service's resident memory in MiB."""

    served: Sequence[Served]
    grown: float = 0.0

    @property
    def failures(self) -> dict[str, list[object]]:
        """The responses whose status was not 200, by caller. Callers without failures are left out."""
        return {each.call.name: each.failures for each in self.served if each.failures}

    def __str__(self) -> str:
        return "\n".join([f"  memory: {self.grown:+.0f} MiB", *(f"  {each}" for each in self.served)])


@contextmanager
def watch(server: Server, calls: Sequence[Call]) -> Iterator[Report]:
    """While the context is open, repeat each call in its own thread, and measure the server's memory use."""
    for call in calls:
        assert _send(server, call) == http.client.OK, call.name
    report, ended, start = Report([Served(call) for call in calls]), threading.Event(), server.memory_megabytes()

    def read_memory() -> None:
        report.grown = max(report.grown, server.memory_megabytes() - start)

    threads = [threading.Thread(target=_repeat, args=(ended, PAUSE, _sender(server, each))) for each in report.served]
    threads.append(threading.Thread(target=_repeat, args=(ended, MEMORY_SECONDS, read_memory)))
    for thread in threads:
        thread.start()
    try:
        yield report
    finally:
        ended.set()
        for thread in threads:
            thread.join(TIMEOUT)


def _repeat(ended: threading.Event, pause: float, work: Callable[[], None]) -> None:
    while not ended.wait(pause):
        work()


def _sender(server: Server, served: Served) -> Callable[[], None]:
    def send() -> None:
        started = time.perf_counter()
        try:
            status: object = _send(server, served.call)
        except (OSError, http.client.HTTPException) as error:
            status = type(error).__name__
        if status == http.client.OK:
            served.seconds.append(time.perf_counter() - started)
        else:
            served.failures.append(status)

    return send


def _send(server: Server, call: Call) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.putrequest(call.method, call.path)
        for name, value in call.headers.items():
            connection.putheader(name, value)
        if call.body:
            connection.putheader("Content-Length", str(len(call.body)))
        half = len(call.body) // 2 if call.halves else len(call.body)
        connection.endheaders(call.body[:half])
        if call.halves:
            time.sleep(SPLIT_SECONDS)
            connection.send(call.body[half:])
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()
