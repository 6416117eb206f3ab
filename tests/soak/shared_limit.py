"""Runs four processes of the service with one Redis, kills (kill -9) and restarts each process and Redis in turn, and counts the
requests allowed for a single key: `python -m tests.soak.shared_limit`. For each period, prints the number of requests allowed,
and the bound from docs/decisions/0036-leases.md.

Exits with status 1 if more requests were allowed than the bound permits."""

import http.client
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path

import click

from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.system import RandomIds, SystemClock
from tests.process.serving import BASE, TIMEOUT, Server, in_database, prepare, serving
from tests.process.shop import BOX, SHOP
from tests.servers.redis_server import RedisServer, redis_server

PROCESSES = 4
CLIENTS = 2
"""The number of clients per process. Each client sends one request after another."""

CAPACITY = 12_000
"""Requests per minute of the key. A stretch begins with a full bucket, which the clients empty within seconds. So leases are
granted while a process is killed, and requests are refused at the end of the stretch."""

REFILL = CAPACITY / 60
"""Tokens per second."""

SETTLED = 1.0
"""Seconds after which every lease has been returned or lost."""


@dataclass(frozen=True)
class Stretch:
    """The number of requests that were allowed in a stretch of time, and the maximum that may be allowed."""

    name: str
    spent: int
    allowed: float
    refused: int

    @property
    def kept(self) -> bool:
        return self.spent <= self.allowed

    @property
    def proves(self) -> bool:
        """Whether requests were refused: only then do the counts prove that the limit holds."""
        return self.refused > 0

    def __str__(self) -> str:
        share = f"{self.spent / self.allowed:7.1%}"
        verdict = "" if self.kept and self.proves else "  BROKEN" if not self.kept else "  the limit was never reached"
        return f"{self.name:22}{self.spent:>9,}{self.allowed:>11,.0f}{share:>9}{self.refused:>10,}{verdict}"


@dataclass
class Counts:
    """The number of responses that clients received, by status."""

    statuses: dict[int, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, status: int) -> None:
        with self._lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1


class Processes:
    """Four processes of the service, which share one database and one Redis."""

    def __init__(self, folder: Path, redis: RedisServer) -> None:
        self._folder = folder
        self._settings = {"REDIS_URL": redis.url}
        self._stacks = [ExitStack() for _ in range(PROCESSES)]
        self.servers: list[Server | None] = [None] * PROCESSES

    def start(self, number: int) -> None:
        self.servers[number] = self._stacks[number].enter_context(serving(self._folder, settings=self._settings))

    def kill(self, number: int) -> None:
        self.servers[number] = None
        self._stacks[number].close()

    def close(self) -> None:
        for number in range(PROCESSES):
            self.kill(number)


def shared_limit(seconds: float, rounds: int, folder: Path, report: Callable[[str], None]) -> list[Stretch]:
    """Run rounds of six stretches of `seconds` each. In each round, nothing is disturbed in one stretch, a different process is
    killed in each of four stretches, and Redis is killed in one."""
    found = []
    with running(folder) as shared:
        for _ in range(rounds):
            for disturbance in disturbances(shared):
                found.append(stretch(shared, disturbance, seconds))
                report(str(found[-1]))
    return found


@dataclass(frozen=True)
class Shared:
    """The processes, their Redis, and a key whose limit is under test."""

    processes: Processes
    redis: RedisServer
    key: str


@contextmanager
def running(folder: Path) -> Iterator[Shared]:
    """Run four processes with a database in this folder. They are killed on exit."""
    prepare(folder, SHOP)
    key = in_database(folder, _key)
    with redis_server() as redis, closing(Processes(folder, redis)) as processes:
        for number in range(PROCESSES):
            processes.start(number)
        yield Shared(processes, redis, key)


async def _key(database: Database) -> str:
    store = SqlKeyStore(database)
    tenant = await store.tenant("demo")
    assert tenant is not None
    return await create_key(store, tenant, KeyRequest("limited", rate_limit=CAPACITY), SystemClock(), RandomIds())


@dataclass(frozen=True)
class Disturbance:
    """The process or server that is killed and restarted while requests are sent, and the number of full rate-limit buckets
    available: `buckets` at the start, and one more when a restarted Redis has lost its data."""

    name: str
    kill: Callable[[], None]
    restart: Callable[[], None]
    buckets: int = 1
    loses_data: bool = False

    def allowed(self, seconds: float) -> float:
        """Return the maximum number of requests that may be allowed in a period of this many seconds."""
        return (self.buckets + self.loses_data) * CAPACITY + self.buckets * REFILL * seconds


def disturbances(shared: Shared) -> Iterator[Disturbance]:
    yield Disturbance("none killed", lambda: None, lambda: None)
    for number in range(PROCESSES):
        yield Disturbance(
            f"process {number + 1} killed",
            partial(shared.processes.kill, number),
            partial(shared.processes.start, number),
        )
    # Without Redis, each process has a bucket of its own.
    yield Disturbance("Redis killed", shared.redis.kill, shared.redis.start, 1 + PROCESSES, loses_data=True)


def stretch(shared: Shared, disturbance: Disturbance, seconds: float) -> Stretch:
    """Send requests for `seconds`. The disturbance kills its target after a fifth of the time, and restarts it halfway
    through."""
    with shared.redis.client() as client:
        client.flushall()
    started = time.monotonic()
    with _clients(shared) as counts:
        time.sleep(seconds * 0.2)
        disturbance.kill()
        time.sleep(seconds * 0.3)
        disturbance.restart()
        time.sleep(max(0.0, started + seconds - time.monotonic()))
    lasted = time.monotonic() - started
    time.sleep(SETTLED)
    spent, refused = (counts.statuses.get(status, 0) for status in (HTTPStatus.OK, HTTPStatus.TOO_MANY_REQUESTS))
    return Stretch(disturbance.name, spent, disturbance.allowed(lasted), refused)


@contextmanager
def _clients(shared: Shared) -> Iterator[Counts]:
    """Run clients that send requests to every running process until the context exits."""
    counts, ended = Counts(), threading.Event()
    threads = [
        threading.Thread(target=_send, args=(shared, number, counts, ended))
        for number in range(PROCESSES)
        for _ in range(CLIENTS)
    ]
    for thread in threads:
        thread.start()
    try:
        yield counts
    finally:
        ended.set()
        for thread in threads:
            thread.join(TIMEOUT)


def _send(shared: Shared, number: int, counts: Counts, ended: threading.Event) -> None:
    while not ended.is_set():
        server = shared.processes.servers[number]
        if server is None:
            ended.wait(0.05)
            continue
        connection = server.connect()
        try:
            while not ended.is_set():
                connection.request("GET", f"{BASE}/bundles/{BOX}", headers={"Authorization": f"Bearer {shared.key}"})
                response = connection.getresponse()
                response.read()
                counts.add(response.status)
        except (OSError, http.client.HTTPException):
            ended.wait(0.05)  # the process was killed
        finally:
            connection.close()


def header() -> str:
    return f"{'':22}{'allowed':>9}{'bound':>11}{'share':>9}{'refused':>10}"


def succeeded(found: Sequence[Stretch]) -> bool:
    return all(each.kept for each in found) and any(each.proves for each in found)


@click.command(help=__doc__)
@click.option("--minutes", default=10.0, show_default=True, type=click.FloatRange(1), help="How long it takes.")
@click.option("--seconds", default=15.0, show_default=True, type=click.FloatRange(5), help="Length of each stretch.")
def main(minutes: float, seconds: float) -> None:
    rounds = max(1, round(minutes * 60 / ((PROCESSES + 2) * (seconds + SETTLED))))
    click.echo(header())
    with tempfile.TemporaryDirectory() as folder:
        found = shared_limit(seconds, rounds, Path(folder), click.echo)
    sys.exit(not succeeded(found))


if __name__ == "__main__":
    main(prog_name="python -m tests.soak.shared_limit")
