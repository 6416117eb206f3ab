"""Compares two processes of the service with one, on PostgreSQL: `python -m tests.load.processes`.

Needs `wrk` (packaged for Debian and Ubuntu). wrk and PostgreSQL run on the same processors as the service, so on a machine with
only two processors, two processes cannot be twice as fast. With `--share`, every process of the service gets only a share of a
processor, which leaves enough for wrk and PostgreSQL. The processor time per request shows how much the two processes slow each
other down."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import randrange
from statistics import median, quantiles
from urllib.request import Request, urlopen

import click

from tests.load.bench import postgresql, started_servers
from tests.load.measure import BASE, CORES, Process, Run, cpu_seconds, run, script
from tests.load.processor_shares import limited
from tests.load.selections import new_selections
from tests.load.servers import environment_line
from tests.servers.child_processes import child_processes

_CASES = {
    "GET bundle": ("/bundles/101", ()),
    "POST price, 5 items": ("/bundles/101/price", new_selections(5)),
    "POST configure": ("/bundles/101/configure", new_selections(5, configure=True)),
}
_Measure = partial[Run]


@dataclass(frozen=True)
class Scaled:
    """One kind of request: the median results of the runs with one process and with two, and the ratio of their rates, with
    quartiles."""

    name: str
    one: Run
    two: Run
    ratio: float
    lower: float
    upper: float

    @classmethod
    def of(cls, name: str, pairs: Sequence[tuple[Run, Run]]) -> "Scaled":
        ratios = [two.rate / one.rate for one, two in pairs]
        lower, _, upper = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
        one, two = (Run(*map(median, zip(*runs, strict=True))) for runs in zip(*pairs, strict=True))
        return cls(name, one, two, median(ratios), lower, upper)


@click.command()
@click.option("--rounds", default=8, show_default=True, help="Pairs of runs for each kind of request.")
@click.option("--seconds", default=1.0, show_default=True, help="Length of each run.")
@click.option(
    "--share",
    type=click.FloatRange(0.05, 1, max_open=True),
    help="Limit each process to this share of a processor (0.05 to 1); needs root.",
)
def main(rounds: int, seconds: float, share: float | None) -> None:
    """Compare the speed of two processes of the service with that of one."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        names = {"one process", "two processes"}
        servers = stack.enter_context(started_servers(folder, postgresql(stack), names))
        headers = {"Authorization": f"Bearer {servers['one process'].keys['demo']}"}
        for each in names:  # the port opens before the workers run
            with urlopen(Request(f"{servers[each].process.address}{BASE}/bundles/101", headers=headers)) as response:
                response.read()
        if share is not None:
            pids = [pid for each in names for pid in _processes(servers[each].process)]
            stack.enter_context(limited(pids, share))
        click.echo(environment_line())
        click.echo(f"{'':22}{'requests/s':^37}{'processor us':^18}{'p99, ms':^16}")
        click.echo(f"{'':22}{'one':>9}{'two':>9}{'ratio':>7}{'quartiles':>12}{'one':>9}{'two':>9}{'one':>8}{'two':>8}")
        for name, (path, bodies) in _CASES.items():
            file = folder / "processes.lua"
            file.write_text(script(headers, bodies))
            one, two = (
                partial(_measured, servers[each].process, f"{BASE}{path}", file, seconds) for each in sorted(names)
            )
            click.echo(_line(Scaled.of(name, list(_pairs(one, two, rounds)))))


def _pairs(one: _Measure, two: _Measure, rounds: int) -> Iterator[tuple[Run, Run]]:
    """Run the two measurements in every round, in alternating order, and yield their results. The first two rounds only warm up
    the servers and are dropped."""
    for number in range(rounds + 2):
        pair = (one(), two()) if number % 2 else (two(), one())[::-1]
        if number > 1:
            yield pair


def _measured(server: Process, path: str, file: Path, seconds: float) -> Run:
    """Run a measurement, and add the processor time of the server's workers to the result."""
    workers = child_processes(server.pid)
    before = sum(map(cpu_seconds, workers))
    start = randrange(1000)  # if all runs sent the same selections, the service would know them
    found = run(server, path, file, seconds, CORES, first=start)
    return found._replace(cpu=found.cpu + (sum(map(cpu_seconds, workers)) - before) * 1e6 / found.sent)


def _processes(server: Process) -> list[int]:
    """Return the processes that serve requests: the workers, or the only process."""
    return child_processes(server.pid) or [server.pid]


def _line(row: Scaled) -> str:
    spread = f"{row.lower:.2f}-{row.upper:.2f}"
    rates = f"{row.one.rate:9,.0f}{row.two.rate:9,.0f}{row.ratio:7.2f}{spread:>12}"
    return f"{row.name:22}{rates}{row.one.cpu:9.0f}{row.two.cpu:9.0f}{row.one.p99:8.1f}{row.two.p99:8.1f}"


if __name__ == "__main__":
    main()
