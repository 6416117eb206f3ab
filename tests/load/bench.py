"""Compares the speed of the service with that of a bare aiohttp handler that sends the same bytes. Both are measured alternately
in one run, on one core, with wrk on another core. Absolute rates depend on the machine and its load, but the ratios are stable.
Needs `wrk` (packaged for Debian and Ubuntu). docs/performance.md explains the table of results."""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import click

from bundlesvc.token_cipher import new_secret_key
from tests.load.growth import SHOP, growth, table
from tests.load.large_shop import LARGE_BUNDLE, large_shop
from tests.load.measure import (
    BASE,
    SERVE,
    Process,
    Run,
    apart,
    bundlesvc,
    make_key,
    mixed,
    process,
    run,
    script,
    watched,
)
from tests.load.selections import known_selections, new_selections
from tests.load.servers import as_dicts, compare, environment_line, raw_servers
from tests.load.servers import table as table_of_servers
from tests.servers.redis_server import redis_server

SHORT_ROUNDS, LONG_ROUNDS = 16, 48
"""The number of rounds of a comparison, without and with `--long`. There are many rounds, so that a machine that is slow for some
seconds affects both sides."""

SHORT_VISITS, LONG_VISITS = 3, 9
GROWTH_ROUNDS = 2
"""The factor by which `--growth` multiplies the number of rounds, because a difference of a tenth matters there."""

SHORT_MIX, LONG_MIX = 30, 3600
"""Seconds of mixed load before memory is measured."""

WARM_UP = 4
"""Requests of each kind before the measurement."""

SATURATED = 0.9
"""The share of the time for which the bare handler must be busy. A row with a smaller share is marked."""


@dataclass(frozen=True)
class Case:
    """One kind of request. With `bodies` it is a POST. `server` names the process that is measured."""

    name: str
    target: float
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    bodies: tuple[str, ...] = ()
    server: str = "plain"
    revalidates: bool = False
    """Whether requests send the ETag of the first response."""
    varied: str = ""
    """A header whose value differs in each request."""
    is_mixed: bool = False
    """Whether all kinds of requests are sent: see `_mixed`."""
    inserts: bool = False
    """Whether the bare handler inserts the body as a row and commits it. On PostgreSQL only."""


@dataclass(frozen=True)
class Result:
    """The medians of the rounds. For the service and the handler: requests per second, and microseconds of processor time per
    request. `ratio` is the service's rate divided by the handler's; `lower` and `upper` are its quartiles. The ratio of the
    processor times is less sensitive to other processes on the machine."""

    name: str
    target: float
    bare: float
    service: float
    ratio: float
    lower: float
    upper: float
    bare_cpu: float
    service_cpu: float
    cpu_ratio: float
    bare_busy: float
    """The share of the time for which the bare handler was busy. If it is low, wrk was too slow for it, and the ratio is too
    favourable for slow requests and too unfavourable for fast ones."""
    p50: float
    p99: float
    p999: float
    longest: float
    """Latencies of the service in milliseconds, as medians over the rounds: the 50th, 99th and 99.9th percentiles, and the
    longest."""
    pause: float
    """The longest pause of the service's event loop in milliseconds, as the median over the rounds."""


_EMBED = "/embed/api/v1"
_BUNDLE, _PRODUCTS = "/bundles/101", "/bundles/101/products?countryCode=US"
_PRICE, _CONFIGURE = "/bundles/101/price", "/bundles/101/configure"
_KEY = "Idempotency-Key"
_PAGE = {"Origin": "https://shop.example", "Accept-Encoding": "gzip, deflate, br"}
CASES = (
    Case("GET bundle", 1.3, _BUNDLE),
    Case("GET bundle, new heads", 1.0, _BUNDLE, varied="X-Request-Id"),
    Case("GET products, country", 1.3, _PRODUCTS),
    Case("304", 1.3, _PRODUCTS, revalidates=True),
    Case("GET products, 200 of them", 1.0, f"/bundles/{LARGE_BUNDLE}/products", server="large"),
    Case("GET embed bundle", 1.2, f"{_EMBED}/bundle?id=101", {"Accept-Language": "en"}),
    Case("GET embed settings", 1.2, f"{_EMBED}/settings", {"Accept-Language": "en"}),
    Case("GET bundle, Origin, brotli", 1.2, _BUNDLE, _PAGE),
    Case("GET bundle, logged", 1.0, _BUNDLE, server="logging"),
    Case("GET products, logged", 1.0, _PRODUCTS, server="logging"),
    Case("GET bundle, Redis", 0.25, _BUNDLE, server="redis"),
    Case("GET products, Redis", 0.25, _PRODUCTS, server="redis"),
    Case("POST price, 5 items", 0.4, _PRICE, bodies=new_selections(5)),
    Case("POST price, 5 items, known", 0.6, _PRICE, bodies=known_selections(5)),
    Case("POST price, 200 items", 0.3, _PRICE, bodies=new_selections(200)),
    Case("POST configure", 0.15, _CONFIGURE, bodies=new_selections(5, configure=True)),
    Case("POST configure, known", 0.2, _CONFIGURE, bodies=known_selections(5, configure=True)),
    Case("POST configure, keys", 0.1, _CONFIGURE, bodies=new_selections(5, configure=True), varied=_KEY),
    Case("POST configure, keys, known", 0.15, _CONFIGURE, bodies=known_selections(5, configure=True), varied=_KEY),
    Case("POST configure, an insert", 0.5, _CONFIGURE, bodies=new_selections(5, configure=True), inserts=True),
    Case("POST configure, an insert, known", 0.5, _CONFIGURE, bodies=known_selections(5, configure=True), inserts=True),
    Case("mixed load", 0.4, _BUNDLE, is_mixed=True),
)


class Server(NamedTuple):
    """A process of the service, and API keys without a rate limit, by shop."""

    process: Process
    keys: Mapping[str, str]


class Bench:
    """Measures one case after another, alternating between the service and the bare handler."""

    def __init__(self, folder: Path, address: str, seconds: float, rounds: int) -> None:
        self._folder, self._address, self._seconds, self._rounds = folder, address, seconds, rounds

    def measure(self, case: Case, server: Server) -> Result:
        path = f"{BASE}{case.path}"
        key = server.keys["large" if case.server == "large" else "demo"]
        url = f"{server.process.address}{path}"
        headers, body = _first_responses(case, url, {"Authorization": f"Bearer {key}", **case.headers})
        file = self._folder / "request.lua"
        file.write_text(_mixed(headers) if case.is_mixed else script(headers, case.bodies, case.varied))
        bodies = self._folder / "bodies"
        bodies.mkdir(exist_ok=True)
        (bodies / "case").write_bytes(body)
        environment = {**os.environ, "DATABASE_URL": self._address}
        with process(apart([sys.executable, "-m", "tests.load.bare", str(bodies)]), environment) as bare:
            paths = {bare: "/stored" if case.inserts else "/case/case", server.process: path}
            sent = dict.fromkeys(paths, 0)
            pairs = []
            for number in range(self._rounds + 1):
                turns = (bare, server.process) if number % 2 else (server.process, bare)
                runs = {each: run(each, paths[each], file, self._seconds, first=sent[each]) for each in turns}
                sent = {each: sent[each] + int(runs[each].sent) for each in turns}
                pairs.append((runs[bare], runs[server.process]))
        return _result(case, pairs[1:])  # skips the warm-up


@click.command()
@click.option(
    "--long", is_flag=True, help="Three times as many rounds; an hour of mixed load instead of half a minute."
)
@click.option(
    "--rounds",
    type=int,
    help="Pairs of runs for each kind of request (twice as many for --growth), or visits of --page.",
)
@click.option("--seconds", default=0.3, show_default=True, help="Length of each run.")
@click.option("--only", default="", help="Only cases, or parts of --large, whose name contains this.")
@click.option("--postgresql", "on_postgresql", is_flag=True, help="On a PostgreSQL that it starts, instead of SQLite.")
@click.option("--growth", "grows", is_flag=True, help="Measure how the service grows with its database instead.")
@click.option("--large", "is_large", is_flag=True, help="Measure many shops and a large one instead.")
@click.option("--page", "opens", is_flag=True, help="Measure when a page with the component is ready; needs Chromium.")
@click.option("--servers", "of_servers", is_flag=True, help="Compare with uvicorn, granian and nginx instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
def main(
    rounds: int | None,
    seconds: float,
    only: str,
    *,
    long: bool,
    on_postgresql: bool,
    grows: bool,
    is_large: bool,
    opens: bool,
    of_servers: bool,
    as_json: bool,
) -> None:
    """Compare the service with a bare aiohttp handler that sends the same bytes."""
    if shutil.which("wrk") is None and not (opens or is_large):
        sys.exit("scripts/bench needs wrk: apt install wrk")
    visits = rounds or (LONG_VISITS if long else SHORT_VISITS)
    rounds = rounds or (LONG_ROUNDS if long else SHORT_ROUNDS)
    if on_postgresql and (grows or opens or is_large):
        sys.exit("--postgresql goes with neither --growth nor --large nor --page.")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        if grows:
            bodies = new_selections(5, configure=True)
            results = growth(Path(folder), rounds * GROWTH_ROUNDS, seconds, LONG_MIX if long else SHORT_MIX, bodies)
            lines = (json.dumps(asdict(row)) for row in results) if as_json else table(results)
        elif is_large:
            lines = _large(Path(folder), only, as_json=as_json)
        elif of_servers:
            lines = _servers_compared(Path(folder), rounds, seconds, as_json=as_json)
        elif opens:
            lines = _page(Path(folder), visits, as_json=as_json)
        else:
            cases = [case for case in CASES if only in case.name and (on_postgresql or not case.inserts)]
            address = postgresql(stack) if on_postgresql else f"sqlite:///{folder}/bench.db"
            lines = _compared(Path(folder), address, cases, rounds, seconds, as_json=as_json)
        for line in lines:
            click.echo(line)


def postgresql(stack: ExitStack) -> str:
    """Start a PostgreSQL server that writes to the disk, as in production, and return the address of its database."""
    from tests.servers.postgres_server import postgres_server  # noqa: PLC0415 - only this mode needs the server

    return stack.enter_context(postgres_server(fsync="on", shared_buffers="128MB", autovacuum="on")).url()


def _compared(
    folder: Path, address: str, cases: Sequence[Case], rounds: int, seconds: float, *, as_json: bool
) -> Iterator[str]:
    with started_servers(folder, address, {case.server for case in cases}) as servers:
        bench = Bench(folder, address, seconds, rounds)
        if not as_json:
            yield environment_line()
            yield f"{'':33}{'requests/s':^37}{'processor us/request':^25}{'latency, ms':^31}{'pause':>8}"
            head = f"{'':33}{'bare':>9}{'service':>9}{'ratio':>7}{'quartiles':>12}"
            latencies = f"{'p50':>8}{'p99':>7}{'p99.9':>8}{'longest':>9}{'ms':>8}"
            yield f"{head}{'bare':>9}{'service':>9}{'ratio':>7}{latencies}{'target':>8}"
        for case in cases:
            result = bench.measure(case, servers[case.server])
            yield json.dumps(asdict(result)) if as_json else _row(result)


def _large(folder: Path, only: str, *, as_json: bool) -> Iterator[str]:
    from tests.load.large import large, table  # noqa: PLC0415 - this mode needs no wrk

    rows = large(folder, only)
    yield from (json.dumps(asdict(row)) for row in rows) if as_json else table(rows)


def _page(folder: Path, visits: int, *, as_json: bool) -> Iterator[str]:
    from tests.load.page import page, table  # noqa: PLC0415 - only this mode needs the browser

    with started_servers(folder, f"sqlite:///{folder / 'bench.db'}", {"plain"}) as servers:
        server = servers["plain"]
        results = page(server.process.address, server.keys["demo"], visits)
        yield from (json.dumps(asdict(row)) for row in results) if as_json else table(results)


def _servers_compared(folder: Path, rounds: int, seconds: float, *, as_json: bool) -> Iterator[str]:
    """Compare the service with servers that only send the same bytes, for warm GETs of a bundle."""
    case = CASES[0]
    with started_servers(folder, f"sqlite:///{folder / 'bench.db'}", {case.server}) as own:
        service = own[case.server]
        key = {"Authorization": f"Bearer {service.keys['demo']}"}
        headers, body = _first_responses(case, f"{service.process.address}{BASE}{case.path}", key)
        file, bodies = folder / "request.lua", folder / "bodies"
        file.write_text(script(headers))
        bodies.mkdir()
        (bodies / "case").write_bytes(body)
        bare = process(apart([sys.executable, "-m", "tests.load.bare", str(bodies)]), os.environ)
        with bare as bare_process, raw_servers(folder, body) as raw:
            servers = {"bare aiohttp": bare_process, "this service": service.process, **raw}
            paths = {"bare aiohttp": "/case/case", "this service": f"{BASE}{case.path}"}
            rows = compare(servers, paths, file, seconds, rounds)
    yield from map(json.dumps, as_dicts(rows)) if as_json else table_of_servers(rows)


def _result(case: Case, pairs: Sequence[tuple[Run, Run]]) -> Result:
    ratios = [service.rate / bare.rate for bare, service in pairs]
    lower, _, upper = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    bare, service = (Run(*map(median, zip(*runs, strict=True))) for runs in zip(*pairs, strict=True))
    cpu_ratio = median(bare.cpu / service.cpu for bare, service in pairs)
    rates = (bare.rate, service.rate, median(ratios), lower, upper)
    latencies = (service.p50, service.p99, service.p999, service.longest, service.pause)
    return Result(case.name, case.target, *rates, bare.cpu, service.cpu, cpu_ratio, bare.busy, *latencies)


def _row(result: Result) -> str:
    spread = f"{result.lower:.2f}-{result.upper:.2f}"
    remark = "" if result.ratio >= result.target else "  NOT MET"
    remark += "" if result.bare_busy >= SATURATED else "  (wrk too slow)"
    rates = f"{result.bare:9,.0f}{result.service:9,.0f}{result.ratio:7.2f}{spread:>12}"
    cpu = f"{result.bare_cpu:9.0f}{result.service_cpu:9.0f}{result.cpu_ratio:7.2f}"
    latencies = f"{result.p50:8.2f}{result.p99:7.2f}{result.p999:8.2f}{result.longest:9.1f}{result.pause:8.1f}"
    return f"{result.name:33}{rates}{cpu}{latencies}{result.target:8.2f}{remark}"


def _mixed(headers: Mapping[str, str]) -> str:
    """Generate a script for wrk that mixes warm reads, price and configure requests, and a few reads of URLs that were never
    requested before."""
    warm = [
        _BUNDLE,
        _PRODUCTS,
        f"{_EMBED}/bundle?id=101",
        f"{_EMBED}/settings",
        "/bundles",
        "/bundles/102",
        "/settings",
    ]
    reads = [f"wrk.format('GET', '{BASE}{path}')" for path in warm] * 10
    prices = _posts(_PRICE, known_selections(5)[:20])
    configures = _posts(_CONFIGURE, known_selections(5, configure=True)[:8])
    parts = (reads, prices, configures, [""] * 2)
    requests = [
        request for _, request in sorted((index / len(part), each) for part in parts for index, each in enumerate(part))
    ]
    return mixed(headers, requests, f"{BASE}{_PRODUCTS}&unseen=")


def _posts(path: str, bodies: Sequence[str]) -> list[str]:
    return [f"wrk.format('POST', '{BASE}{path}', nil, [[{body}]])" for body in bodies]


def _first_responses(case: Case, url: str, headers: Mapping[str, str]) -> tuple[Mapping[str, str], bytes]:
    """Warm up the case. Returns the request headers for the measurement, and the body of the response."""
    body = case.bodies[0].encode() if case.bodies else None
    for _ in range(WARM_UP):
        with urlopen(Request(url, body, dict(headers))) as response:
            received, tag = response.read(), response.headers["ETag"]
    if not case.revalidates:
        return headers, received
    headers = {**headers, "If-None-Match": tag}
    for _ in range(WARM_UP):
        try:
            urlopen(Request(url, None, dict(headers)))
        except HTTPError as error:
            received = error.read()
    return headers, received


@contextmanager
def started_servers(folder: Path, address: str, names: set[str]) -> Iterator[Mapping[str, Server]]:
    """Start the processes that the cases need. They share one database, which contains the demo shop and a large shop."""
    environment = {
        **os.environ,
        "BUNDLESVC_STOP_DELAY": "0",
        "DATABASE_URL": address,
        "BUNDLESVC_SECRET_KEYS": new_secret_key(),
        "BUNDLESVC_LOG_LEVEL": "WARNING",
    }
    (folder / "large.json").write_text(json.dumps(large_shop()))
    keys = {}
    bundlesvc(environment, "db", "upgrade")
    for shop, file in (("demo", SHOP), ("large", folder / "large.json")):
        bundlesvc(environment, "load", str(file))
        keys[shop] = make_key(environment, shop)
    with ExitStack() as stack:
        own = {
            "plain": {},
            "large": {},
            "logging": {"BUNDLESVC_LOG_LEVEL": "INFO"},
            "one process": {"WEB_CONCURRENCY": "1"},
            "two processes": {"WEB_CONCURRENCY": "2"},
        }
        if "redis" in names:
            own["redis"] = {"REDIS_URL": stack.enter_context(redis_server()).url}
        yield {
            name: Server(stack.enter_context(_started(folder, name, {**environment, **own[name]})), keys)
            for name in names
        }


def _started(folder: Path, name: str, environment: Mapping[str, str]) -> AbstractContextManager[Process]:
    """Start the service on different cores from wrk's, with a watch on its event loop. For comparisons of one process with two,
    the service runs on all cores and without a watch."""
    if "process" in name:
        return process(SERVE, environment)
    pauses = folder / name
    return process(apart(watched(SERVE, pauses)), environment, pauses)


if __name__ == "__main__":
    main()
