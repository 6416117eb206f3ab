"""How fast the service is beside a bare aiohttp handler, both measured in turns in one run: machines are shared and noisy,
ratios hold. Needs `wrk` (a package of Debian and Ubuntu)."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

from bundlesvc.token_cipher import new_secret_key

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "config" / "demo-shop.yaml"
BASE = "/api/headless/v1"
CONNECTIONS = 16


@dataclass(frozen=True)
class Case:
    """One kind of request; a body makes it a POST."""

    name: str
    path: str
    body: Mapping[str, object] | None = None


NATIVE = {
    "products": [
        {"product": "1001", "variant": "10011", "section": 1},
        {"product": "1001", "variant": "10011", "section": 1},
        {"product": "1002", "variant": "10021", "section": 1},
    ]
}
CASES = (
    Case("GET bundle", "/bundles/101"),
    Case("GET products", "/bundles/101/products?countryCode=US"),
    Case("POST price", "/bundles/101/price", NATIVE),
    Case("POST configure", "/bundles/101/configure", {"type": "native", **NATIVE}),
)


@click.command()
@click.option("--rounds", default=5, show_default=True, help="Pairs of runs for each kind of request.")
@click.option("--seconds", default=2, show_default=True, help="Length of each run.")
def main(rounds: int, seconds: int) -> None:
    """Measure the service beside a bare aiohttp handler."""
    if shutil.which("wrk") is None:
        sys.exit("scripts/bench needs wrk: apt install wrk")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bare = stack.enter_context(_process([sys.executable, "-m", "tests.load.bare"], os.environ))
        service, key = stack.enter_context(_service(folder))
        click.echo(f"{'':16}{'bare':>10}{'bundlesvc':>12}{'ratio':>8}   (requests/s, medians of {rounds} pairs)")
        for case in CASES:
            click.echo(_measure(case, bare, service, key, folder, rounds, seconds))


def _measure(case: Case, bare: str, service: str, key: str, folder: Path, rounds: int, seconds: int) -> str:
    script = folder / "request.lua"
    script.write_text(_lua(case, key))
    pairs = []
    for _ in range(rounds):
        of_bare = _requests_per_second(f"{bare}/bundles/101", script, seconds)
        of_service = _requests_per_second(f"{service}{BASE}{case.path}", script, seconds)
        pairs.append((of_bare, of_service))
    of_bare, of_service = (median(column) for column in zip(*pairs, strict=True))
    ratio = median(served / plain for plain, served in pairs)
    return f"{case.name:16}{of_bare:10,.0f}{of_service:12,.0f}{ratio:8.2f}"


def _lua(case: Case, key: str) -> str:
    lines = [f'wrk.headers["Authorization"] = "Bearer {key}"']
    if case.body is not None:
        lines += ['wrk.method = "POST"', f"wrk.body = [[{json.dumps(case.body)}]]"]
    return "\n".join(lines)


def _requests_per_second(url: str, script: Path, seconds: int) -> float:
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(script), url]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = re.search(r"Requests/sec:\s+([\d.]+)", printed)
    if found is None or "Non-2xx" in printed:
        sys.exit(f"{url} was not answered as expected:\n{printed}")
    return float(found[1])


@contextmanager
def _service(folder: Path) -> Iterator[tuple[str, str]]:
    """The service with the demo shop, and a key that no bucket holds back."""
    bundlesvc = [sys.executable, "-m", "bundlesvc"]
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{folder / 'bench.db'}",
        "BUNDLESVC_SECRET_KEYS": new_secret_key(),
    }
    subprocess.run([*bundlesvc, "load", str(SHOP)], env=environment, check=True)
    create = [*bundlesvc, "keys", "create", "--shop", "demo", "--label", "bench", "--rate-limit", str(10**9), "--json"]
    made = subprocess.run(create, env=environment, check=True, capture_output=True).stdout
    with _process([*bundlesvc, "serve", "--port"], environment) as address:
        yield address, json.loads(made)["key"]


@contextmanager
def _process(command: list[str], environment: Mapping[str, str]) -> Iterator[str]:
    """A server on a free port, given as its last argument; its address, once it listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with subprocess.Popen([*command, str(port)], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def _wait_for(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    sys.exit(f"nothing listens on port {port}")


if __name__ == "__main__":
    main()
