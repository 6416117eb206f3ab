"""Counts the processor instructions per request: `python -m tests.load.instructions`.

The count is the same on a busy machine as on an idle one, so a change of one per cent is visible. It does not include waits,
cache misses or the kernel, so the measurements of `scripts/bench` are decisive. Needs `valgrind` (packaged for Debian and
Ubuntu)."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from uuid import uuid4

import click

from bundlesvc.token_cipher import new_secret_key
from tests.load.growth import SHOP
from tests.load.measure import BASE, ROOT, bundlesvc, make_key
from tests.load.selections import known_selections, new_selections
from tests.load.servers import environment_line, installed
from tests.load.socket_pairs import BEGIN, END, WARM_UP, Plan, request_bytes, write_plans

COUNT = 400
"""The number of requests of each kind. More would change nothing, because all take the same path."""

_EMBED = "/embed/api/v1"
_CALLGRIND = (
    "valgrind",
    "--tool=callgrind",
    "--instr-atstart=no",
    f"--zero-before={BEGIN}",
    f"--dump-before={END}",
)


@click.command()
@click.option("--only", default="", help="Only kinds of requests whose name contains this.")
def main(only: str) -> None:
    """For each kind of request, count the instructions per request that are executed by the service, by a bare aiohttp handler
    and by raw uvicorn."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder}/counted.db",
            "BUNDLESVC_SECRET_KEYS": new_secret_key(),
            "BUNDLESVC_LOG_LEVEL": "WARNING",
            "PYTHONHASHSEED": "0",
            "RAW_BODY": str(folder / "case"),
        }
        bundlesvc(environment, "db", "upgrade")
        bundlesvc(environment, "load", str(SHOP))
        plans = [plan for plan in _plans(make_key(environment, "demo")) if only in plan.name]
        write_plans(folder / "plans.json", plans)
        bodies = folder / "bodies"
        bodies.mkdir()
        for file in (folder / "case", bodies / "case"):
            file.write_bytes(b"x" * 4096)
        click.echo(environment_line())
        click.echo(f"{'':28}{'service':>10}{'bare':>10}{'uvicorn':>10}{'of bare':>9}")
        own = sys.executable
        service = _counted(folder, environment, [own], "service")
        bare = _counted(folder, environment, [own], "bare", str(bodies))
        raw = _counted(folder, environment, [str(installed() / "python")], "uvicorn")
        for plan in plans:
            counts = [each[plan.name] for each in (service, bare, raw)]
            row = "".join(f"{count:10,.0f}" for count in counts)
            click.echo(f"{plan.name:28}{row}{counts[1] / counts[0]:9.2f}")


def _plans(key: str) -> Sequence[Plan]:
    """Build the request plans. A request with a varying header or an idempotency key is never sent twice. All plans are for the
    same process, so a selection that is new must not be part of an earlier plan."""
    auth = {"Authorization": f"Bearer {key}"}
    page = {**auth, "Origin": "https://shop.example", "Accept-Encoding": "gzip, deflate, br"}
    numbers = range(COUNT + 2 * WARM_UP)
    bundle = f"{BASE}/bundles/101"

    def posts(action: str, bodies: Sequence[str]) -> list[bytes]:
        return [request_bytes("POST", f"{bundle}/{action}", auth, body.encode()) for body in bodies]

    def keyed(bodies: Sequence[str]) -> list[bytes]:
        path, sent = f"{bundle}/configure", islice(cycle(bodies), len(numbers))
        return [request_bytes("POST", path, {**auth, "Idempotency-Key": uuid4().hex}, body.encode()) for body in sent]

    configures = new_selections(5, configure=True)
    half = len(configures) // 2
    return [
        Plan("GET bundle", [request_bytes("GET", bundle, auth)]),
        Plan(
            "GET bundle, other heads",
            [request_bytes("GET", bundle, {**auth, "X-Request-Id": f"{number:032x}"}) for number in numbers],
        ),
        Plan("GET bundle, Origin, brotli", [request_bytes("GET", bundle, page)]),
        Plan("GET embed bundle", [request_bytes("GET", f"{BASE}{_EMBED}/bundle?id=101", auth)]),
        Plan("POST price, 5 items", posts("price", new_selections(5))),
        Plan("POST price, known", posts("price", _few_selections())),
        Plan("POST price, 200 items", posts("price", new_selections(200))),
        Plan("POST configure", posts("configure", configures[:half])),
        Plan("POST configure, known", posts("configure", _few_selections(configure=True))),
        Plan("POST configure, keys", keyed(configures[half:])),
        Plan("POST configure, keys, known", keyed(_few_selections(configure=True))),
    ]


def _few_selections(configure: bool = False) -> Sequence[str]:
    """Return so few bodies that the warm-up sends each of them twice, after which the service knows their selections."""
    return known_selections(5, configure)[: WARM_UP // 2]


def _counted(
    folder: Path, environment: Mapping[str, str], python: Sequence[str], target: str, *arguments: str
) -> Mapping[str, float]:
    """Run the target under Callgrind, and return the number of instructions per request by plan name."""
    out = folder / target
    out.mkdir()
    module = ("-m", "tests.load.socket_pairs", target, str(folder / "plans.json"), str(COUNT), *arguments)
    command = [*_CALLGRIND, f"--callgrind-out-file={out}/counts", *python, *module]
    done = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{target} failed:\n{done.stderr}")
    files = sorted(out.glob("counts.*"), key=lambda file: int(file.suffix[1:]))
    totals = [re.search(r"^(?:totals|summary): (\d+)", file.read_text(), re.MULTILINE) for file in files]
    names = done.stdout.splitlines()
    return {name: int(total[1]) / COUNT for name, total in zip(names, totals, strict=False) if total}


if __name__ == "__main__":
    main()
