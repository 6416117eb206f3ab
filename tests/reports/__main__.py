"""`python -m tests.reports` measures how long reports on a year of sales take, with SQLite and PostgreSQL."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from bundlesvc.domain.reports.bundle_report import DIMENSIONS, ReportQuery, report
from bundlesvc.domain.reports.period import Period, day_of
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.configured.daily_counts import count_days
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.reports.bundle_figures import SqlReportStore
from tests.reports.year import BEGIN, store_year
from tests.servers.postgres_server import postgres_server
from tests.storage.configured_bundles import NOW
from tests.storage.prepared import make_database, make_postgresql

YEAR = Period(day_of(BEGIN), day_of(NOW))
RUNS = 9
"""The number of runs of each report. The fastest run counts, because other processes disturbed it least."""


@contextmanager
def databases(engine: str) -> Iterator[str]:
    """Create a new database with the test shop, and yield its address."""
    if engine == "sqlite":
        with TemporaryDirectory() as folder:
            path = Path(folder) / "year.db"
            make_database(path, loaded=True)
            yield str(path)
    else:
        with (
            postgres_server(shared_buffers="256MB", autovacuum="on") as server,
            server.lent(make_postgresql(server, loaded=True)) as url,
        ):
            yield url


async def measure(address: str, configured: int, orders: int) -> tuple[float, dict[str, float]]:
    """Measure how many seconds it takes to compute the daily counts of a year, and how many milliseconds a report by each
    dimension takes."""
    async with open_database(address) as database:
        tenant = await SqlKeyStore(database).tenant("demo")
        if tenant is None:
            raise LookupError
        await store_year(database, tenant, configured, orders)
        begun = time.perf_counter()
        await count_days(database, NOW)
        counted = time.perf_counter() - begun
        store, taken = SqlReportStore(database), dict[str, float]()
        for by in DIMENSIONS:
            query, runs = ReportQuery(YEAR, by), []
            for _ in range(RUNS):
                begun = time.perf_counter()
                found = report(query, await store.figures(tenant, query))
                runs.append(time.perf_counter() - begun)
            if found.total.configured != configured or found.total.sold != orders:
                raise ArithmeticError(found.total)
            taken[by] = min(runs) * 1000
    return counted, taken


@click.command()
@click.option("--engine", "engines", multiple=True, default=("sqlite", "postgresql"))
@click.option("--configured", "sizes", multiple=True, type=int, default=(10_000, 100_000, 1_000_000))
def main(engines: tuple[str, ...], sizes: tuple[int, ...]) -> None:
    """Measure how long reports take with these numbers of configured bundles. Every fifth bundle is ordered."""
    click.echo(
        f"{'':12}{'configured':>12}{'orders':>10}{'count, s':>10}" + "".join(f"{by + ', ms':>13}" for by in DIMENSIONS)
    )
    for engine in engines:
        for size in sizes:
            with databases(engine) as address:
                counted, taken = asyncio.run(measure(address, size, size // 5))
            cells = "".join(f"{taken[by]:13.0f}" for by in DIMENSIONS)
            click.echo(f"{engine:12}{size:12,}{size // 5:10,}{counted:10.1f}{cells}")


if __name__ == "__main__":
    main()
