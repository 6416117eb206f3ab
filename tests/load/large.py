"""The cost of commands and of starting the service, with many shops and with one large shop. docs/performance.md explains the
printed table."""

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any, cast
from urllib.request import Request, urlopen

from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.services.access.authentication import Authentication, GuessLimit, LastUse
from bundlesvc.services.shops import Tenants
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.opening import open_database
from bundlesvc.system import SystemClock
from tests.load.filling import Size, choices, fill, write_shop_files
from tests.load.growth import LARGE as MANY
from tests.load.growth import SHOP, databases, ready
from tests.load.large_shop import VARIANTS, generated_shop
from tests.load.measure import BASE, BUNDLESVC, Process, bundlesvc, cpu_seconds, make_key, memory

ONE = Size(shops=1, bundles=10_000, products=50_000, keys=1)
ROWS = 1_000
"""The number of variants whose stock and price are changed."""

QUIET_SECONDS = 30

STARTS = 3
CHANGES = 20

FINDERS = {"lint", "doctor"}
"""Commands whose exit status 1 can mean that they found problems, rather than that they failed."""

KIB = 1024


@dataclass(frozen=True)
class Cost:
    """One measurement. `limit` is the upper bound on its value; None means no limit."""

    name: str
    unit: str
    value: float
    limit: float | None = None

    @property
    def met(self) -> bool:
        return self.limit is None or self.value <= self.limit


@dataclass(frozen=True)
class Command:
    """The cost of a finished command: processor seconds, elapsed seconds and peak memory in MiB."""

    cpu: float
    clock: float
    memory: float

    def rows(self, name: str, limit: float | None = None, memory: float | None = None) -> Iterator[Cost]:
        yield Cost(name, "s of processor time", self.cpu, limit)
        yield Cost(f"{name}, on the clock", "s", self.clock)
        if memory is not None:
            yield Cost(f"{name}, memory", "MiB", self.memory, memory)


def large(folder: Path, only: str) -> Iterator[Cost]:
    """Measure those `PARTS` whose names contain `only`, and yield the rows of the cost table."""
    for name, part in PARTS.items():
        if only in name:
            (environment,) = databases(folder, name)
            yield from part(folder, environment)


def table(rows: Iterator[Cost]) -> Iterator[str]:
    yield f"{'':50}{'':>10}{'limit':>8}  unit"
    for row in rows:
        limit = "" if row.limit is None else f"{row.limit:g}"
        yield f"{row.name:50}{row.value:10,.3f}{limit:>8}  {row.unit}{'' if row.met else ': NOT MET'}"


def _loads(folder: Path, environment: Mapping[str, str]) -> Iterator[Cost]:
    file, shop = _large_shop(folder)
    bundlesvc(environment, "load", str(SHOP))
    key = make_key(environment, "demo")
    with ready(environment) as server:
        configure = _Configure(server, key)
        until = time.perf_counter() + QUIET_SECONDS
        yield Cost(f"slowest configure in {QUIET_SECONDS} s without a load", "s", configure.slowest(until))
        command, slowest = _while(_started(environment, "load", str(file)), configure)
        yield from command.rows("load, 10,000 bundles, 50,000 products", 60, 600)
        yield Cost("slowest configure during this load", "s", slowest, 0.5)
        yield from _run(environment, "load", str(file)).rows("load, nothing changed", 20, 600)
        for product in shop["products"]:
            product["title"] += "!"
        file.write_text(json.dumps(shop))
        command, slowest = _while(_started(environment, "load", str(file)), configure)
        yield from command.rows("load, every product changed", 60, 600)
        yield Cost("slowest configure during this load", "s", slowest, 0.5)
        rows = folder / "rows.csv"
        for command_name, column, value in (("stock", "inventoryQuantity", "5"), ("prices", "price", "9.95")):
            ids = [f"{number * 1000 + number % VARIANTS},{value}" for number in range(1, ROWS + 1)]
            rows.write_text("\n".join([f"variantId,{column}", *ids]))
            command, slowest = _while(_started(environment, command_name, str(rows), "--shop", "one"), configure)
            yield from command.rows(f"{command_name} of 1,000 variants")
            yield Cost("slowest configure meanwhile", "s", slowest, 0.5)


def _lint(folder: Path, environment: Mapping[str, str]) -> Iterator[Cost]:
    file, _ = _large_shop(folder)
    yield from _run(environment, "lint", str(file)).rows("lint, 10,000 bundles, 50,000 products", 60)


def _start_of_one(folder: Path, environment: Mapping[str, str]) -> Iterator[Cost]:
    file, _ = _large_shop(folder)
    bundlesvc(environment, "load", str(file))
    yield from _run(environment, "doctor").rows("doctor, one large shop")
    yield from _starts(environment, "one large shop", make_key(environment, "one"), 1)


def _files_of_many(folder: Path, environment: Mapping[str, str]) -> Iterator[Cost]:
    files = write_shop_files(folder / "files", MANY)
    yield from _run(environment, "load", str(files[0].parent)).rows("load, a folder of 200 shops", 60, 600)
    yield from _run(environment, "lint", *map(str, files)).rows("lint, 200 shops", 60)


def _start_of_many(folder: Path, environment: Mapping[str, str]) -> Iterator[Cost]:
    database = folder / "start-many.db"
    bundlesvc(environment, "load", str(SHOP))
    others = fill(database, MANY)
    yield from _run(environment, "doctor").rows("doctor, 200 shops")
    yield from _starts(environment, "200 shops, 10,000 keys", *others[0])
    seconds = asyncio.run(_refreshes(database))
    yield Cost("a shop of 200 changes: read it again", "ms of processor time", seconds * 1000, 20)


PARTS: Mapping[str, Callable[[Path, Mapping[str, str]], Iterator[Cost]]] = {
    "load-one": _loads,
    "lint-one": _lint,
    "start-one": _start_of_one,
    "files-many": _files_of_many,
    "start-many": _start_of_many,
}
"""The measurements. On an idle machine, each takes at most two minutes; each has its own database, and can be run alone."""


def _large_shop(folder: Path) -> tuple[Path, dict[str, Any]]:
    """Write a shop file for a large shop. Returns the file's path and its content."""
    file, shop = folder / "one.json", generated_shop("one", ONE.products, list(choices(ONE)))
    file.write_text(json.dumps(shop))
    return file, shop


def _starts(environment: Mapping[str, str], name: str, key: str, bundle: int) -> Iterator[Cost]:
    """Start a process several times. Measures the time until the process is ready, the time until its first response has arrived,
    and its memory after that response."""
    starts, clocks, firsts, memories = [], [], [], []
    for _ in range(STARTS):
        begun = time.perf_counter()
        with ready(environment) as server:
            listening = time.perf_counter()
            starts.append(cpu_seconds(server.pid))
            clocks.append(listening - begun)
            request = Request(
                f"{server.address}{BASE}/bundles/{bundle}/products", headers={"Authorization": f"Bearer {key}"}
            )
            with urlopen(request) as response:
                response.read()
            firsts.append(time.perf_counter() - listening)
            memories.append(memory(server.pid))
    yield Cost(f"start, {name}", "s of processor time", median(starts), 1)
    yield Cost(f"start, {name}, on the clock", "s", median(clocks))
    yield Cost(f"first read, {name}", "ms", median(firsts) * 1000)
    yield Cost(f"memory after it, {name}", "MiB", median(memories), 120)


async def _refreshes(path: Path) -> float:
    """Measure the processor time that a process needs to notice that a shop has changed and to read the shop again."""
    async with open_database(str(path)) as database:
        keys, clock = SqlKeyStore(database), SystemClock()
        shops = SqlShopStore(database, RevisionCache())
        guesses = GuessLimit(MemoryBuckets(clock))
        authentication = Authentication(keys, Tenants(shops, clock), guesses, LastUse(keys, clock))
        await authentication.refresh()
        seconds = []
        for number in range(CHANGES):
            await keys.set_headless("shop-7", enabled=number % 2 == 1)
            begun = time.process_time()
            await authentication.refresh()
            seconds.append(time.process_time() - begun)
        return median(seconds)


def _run(environment: Mapping[str, str], *arguments: str) -> Command:
    command, _ = _while(_started(environment, *arguments), None)
    return command


def _started(environment: Mapping[str, str], *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*BUNDLESVC, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _while(process: subprocess.Popen[bytes], configure: "_Configure | None") -> tuple[Command, float]:
    """Measure the cost of a running command, and how long the slowest configure request took while it ran, in seconds."""
    begun, slowest = time.perf_counter(), 0.0
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG if configure else 0)
        if pid:
            break
        if configure:
            slowest = max(slowest, configure.seconds())
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode and FINDERS.isdisjoint(cast("list[str]", process.args)):
        raise subprocess.CalledProcessError(process.returncode, process.args)
    cpu = used.ru_utime + used.ru_stime
    return Command(cpu, time.perf_counter() - begun, used.ru_maxrss / KIB), slowest


class _Configure:
    """Sends configure requests to the demo shop, one after another."""

    def __init__(self, server: Process, key: str) -> None:
        self._connection = HTTPConnection(server.address.removeprefix("http://"))
        self._headers = {"Authorization": f"Bearer {key}"}
        items = [{"product": "1001", "variant": "10011", "section": 1}] * 5
        self._body = json.dumps({"type": "native", "products": items})

    def slowest(self, until: float) -> float:
        slowest = 0.0
        while time.perf_counter() < until:
            slowest = max(slowest, self.seconds())
        return slowest

    def seconds(self) -> float:
        begun = time.perf_counter()
        self._connection.request("POST", f"{BASE}/bundles/101/configure", self._body, self._headers)
        response = self._connection.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"configure: {response.status}")
        return time.perf_counter() - begun
