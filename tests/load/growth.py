"""Measures how the service scales: sends the same requests, alternately, to a process with a small database and to one with a
large database. Both contain the demo shop. docs/performance.md explains the table of results."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Self
from urllib.error import URLError
from urllib.request import Request, urlopen

from bundlesvc.token_cipher import new_secret_key
from tests.load.filling import Size, fill, store_configured
from tests.load.measure import (
    BASE,
    ROOT,
    SERVE,
    Process,
    Run,
    apart,
    bundlesvc,
    drawn,
    make_key,
    memory,
    process,
    run,
    script,
)

SHOP = ROOT / "config" / "demo-shop.yaml"
LARGE = Size(shops=200, bundles=50, products=250, keys=50)
FEW, MANY = 1_000, 1_000_000
"""Numbers of stored configured bundles."""

STARTS = 5
BUNDLE, PRODUCTS = f"{BASE}/bundles/101", f"{BASE}/bundles/101/products?countryCode=US"


@dataclass(frozen=True)
class Growth:
    """One measure for the small and for the large database, as medians of the rounds. `ratio` is the median of the rounds'
    ratios; `lower` and `upper` are their quartiles. `limit` is the upper bound on the ratio or, if `absolute` is set, on the
    value for the large database; None means no limit."""

    name: str
    unit: str
    small: float
    large: float
    ratio: float
    lower: float
    upper: float
    limit: float | None
    absolute: bool = False

    @classmethod
    def of(
        cls, name: str, unit: str, pairs: Sequence[tuple[float, float]], limit: float | None, *, absolute: bool = False
    ) -> Self:
        """Summarise the measurements as one row of the growth table. Each pair contains one round's values for the small and for
        the large database."""
        ratios = [large / small for small, large in pairs]
        lower, ratio, upper = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
        small, large = map(median, zip(*pairs, strict=True))
        return cls(name, unit, small, large, ratio, lower, upper, limit, absolute)

    @property
    def met(self) -> bool:
        return self.limit is None or (self.large if self.absolute else self.ratio) <= self.limit


@dataclass(frozen=True)
class Grown:
    """Two processes with databases of different sizes, and a key of the demo shop that both accept."""

    small: Process
    large: Process
    key: str
    others: Sequence[tuple[str, int]]
    """A key and a bundle id of each generated shop."""


class Comparison:
    """Runs the same load against the two processes in turn. Which process goes first also alternates, so that changes in the
    machine's load affect both processes alike."""

    def __init__(self, folder: Path, grown: Grown, rounds: int, seconds: float) -> None:
        self._script = folder / "growth.lua"
        self._grown, self._rounds, self._seconds = grown, rounds, seconds
        self._headers = {"Authorization": f"Bearer {grown.key}"}

    def requests(self, name: str, path: str, limit: float, bodies: Sequence[str] = ()) -> Growth:
        """Compare the processor time per request, the measure least affected by other processes on the machine."""
        self._script.write_text(script(self._headers, bodies))
        return self._compare(name, limit, lambda server: run(server, path, self._script, self._seconds))

    def every_shop(self) -> Growth:
        """Compare requests for a bundle of each shop in turn, on the large database, with requests for a bundle of the demo shop,
        on the small one."""
        texts = []
        for of_all in (False, True):
            pairs = self._grown.others if of_all else [(self._grown.key, 101)] * len(self._grown.others)
            gets = (
                f"wrk.format('GET', '{BASE}/bundles/{bundle}', {{['Authorization'] = 'Bearer {key}'}})"
                for key, bundle in pairs
            )
            texts.append(drawn(gets))

        def measure(server: Process) -> Run:
            self._script.write_text(texts[server is self._grown.large])
            return run(server, "/", self._script, self._seconds)

        return self._compare("GET bundle, a bundle of each shop", None, measure)

    def _compare(self, name: str, limit: float | None, measure: Callable[[Process], Run]) -> Growth:
        small, large = self._grown.small, self._grown.large
        pairs: list[tuple[float, float]] = []
        for server in (small, large):
            measure(server)  # warms up
        for number in range(self._rounds):
            taken = {server: measure(server).cpu for server in ((small, large), (large, small))[number % 2]}
            pairs.append((taken[small], taken[large]))
        return Growth.of(name, "us of processor time", pairs, limit)


def growth(folder: Path, rounds: int, seconds: float, mix_seconds: float, configure: Sequence[str]) -> Iterator[Growth]:
    """Yield every row of the growth table, measured on a small and a large database. `configure` contains the bodies of configure
    requests."""
    environments = databases(folder, "small", "large")
    bundlesvc(environments[0], "load", str(SHOP))
    key = make_key(environments[0], "demo")
    with process(SERVE, environments[0]) as server:
        _post(server, f"{BASE}/bundles/101/configure", key, configure[0])
    shutil.copy(folder / "small.db", folder / "large.db")
    others = fill(folder / "large.db", LARGE)
    for name, count in (("small", FEW), ("large", MANY)):
        store_configured(folder / f"{name}.db", count)
    yield _starts(environments)
    with ExitStack() as stack:
        small, large = (stack.enter_context(ready(environment, apart(SERVE))) for environment in environments)
        compare = Comparison(folder, Grown(small, large, key, others), rounds, seconds)
        yield compare.requests("GET bundle", BUNDLE, 1.1)
        yield compare.requests("GET products, country", PRODUCTS, 1.1)
        yield compare.every_shop()
        yield compare.requests("POST configure", f"{BASE}/bundles/101/configure", 1.2, configure)
    with ExitStack() as stack:
        small, large = (stack.enter_context(ready(environment)) for environment in environments)
        for server in (small, large):
            _mixed(folder, server, key, others if server is large else (), mix_seconds, configure)
        taken, of_all = memory(small.pid), memory(large.pid)
        yield Growth.of("memory after mixed load on the demo shop", "MiB", [(taken, taken)], 120, absolute=True)
        yield Growth.of("memory after mixed load on all shops", "MiB", [(taken, of_all)], None)


def table(rows: Iterator[Growth]) -> Iterator[str]:
    yield f"{'':42}{'small':>10}{'large':>10}{'ratio':>7}{'quartiles':>12}{'limit':>8}  unit"
    for row in rows:
        limit = "" if row.limit is None else f"{row.limit:.2f}" if not row.absolute else f"{row.limit:g}"
        yield (
            f"{row.name:42}{row.small:10,.2f}{row.large:10,.2f}{row.ratio:7.2f}{row.lower:7.2f}-{row.upper:.2f}{limit:>8}  "
            f"{row.unit}{'' if row.met else ': NOT MET'}"
        )


def databases(folder: Path, *names: str) -> list[dict[str, str]]:
    """Return, for each name, the environment variables of a service whose database has that name."""
    shared = {**os.environ, "BUNDLESVC_SECRET_KEYS": new_secret_key(), "BUNDLESVC_LOG_LEVEL": "WARNING"}
    shared |= {
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "PYTHONDONTWRITEBYTECODE": "",
    }  # like an installed service
    return [{**shared, "DATABASE_URL": f"sqlite:///{folder / name}.db"} for name in names]


def _starts(environments: Sequence[Mapping[str, str]]) -> Growth:
    """Measure the seconds from the start of a process until it is ready."""
    for environment in environments:
        _start(environment)  # warms up
    pairs = [(_start(environments[0]), _start(environments[1])) for _ in range(STARTS)]
    return Growth.of("start, until it is ready", "s", pairs, 1.0, absolute=True)


def _start(environment: Mapping[str, str]) -> float:
    began = time.perf_counter()
    with ready(environment):
        return time.perf_counter() - began


@contextmanager
def ready(environment: Mapping[str, str], command: Sequence[str] = SERVE) -> Iterator[Process]:
    with process(command, environment) as server:
        while True:
            try:
                urlopen(f"{server.address}/readyz").close()
            except URLError:
                time.sleep(0.005)
            else:
                break
        yield server


def _post(server: Process, path: str, key: str, body: str) -> None:
    request = Request(f"{server.address}{path}", body.encode(), {"Authorization": f"Bearer {key}"})
    with urlopen(request) as response:
        json.loads(response.read())


def _mixed(
    folder: Path,
    server: Process,
    key: str,
    others: Sequence[tuple[str, int]],
    seconds: float,
    configure: Sequence[str],
) -> None:
    """Send typical storefront traffic: reads in three countries and two languages, price requests and some configure requests."""
    get = "wrk.format('GET', '{path}', {{['Authorization'] = 'Bearer {key}'}})"
    post = "wrk.format('POST', '{path}', {{['Authorization'] = 'Bearer {key}'}}, [[{body}]])"
    paths = [f"/bundles/{bundle}" for bundle in range(101, 112)]
    paths += [f"/bundles/101/products?countryCode={country}" for country in ("US", "GB", "CH")]
    paths += [f"/embed/api/v1/bundle?id=101&lang={language}" for language in ("en", "de")]
    requests = [get.format(path=BASE + path, key=key) for path in paths] * 6
    requests += [get.format(path=f"{BASE}/bundles/{bundle}/products", key=other) for other, bundle in others]
    bodies = [json.loads(body) for body in configure[:20]]
    requests += [
        post.format(path=f"{BASE}/bundles/101/price", key=key, body=json.dumps({"products": body["products"]}))
        for body in bodies
    ]
    requests += [post.format(path=f"{BASE}/bundles/101/configure", key=key, body=body) for body in configure[:5]]
    mixed = folder / "mixed.lua"
    mixed.write_text(drawn(iter(requests)))
    run(server, "/", mixed, seconds)
