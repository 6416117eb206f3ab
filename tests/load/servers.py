"""Compares the service with raw servers that only send the same bytes: uvicorn with httptools, granian, and nginx with a static
file. Pinned versions of uvicorn and granian are installed into `.cache`, only for this comparison; nginx is a package of Debian
and Ubuntu."""

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from zlib import crc32

import click

from tests.load.measure import ROOT, Process, Run, apart, process, run
from tests.servers.child_processes import child_processes

REQUIREMENTS = Path(__file__).parent / "servers-requirements.txt"

_NGINX = """
daemon off; master_process off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr crit;
events {{ worker_connections 256; }}
http {{
  access_log off; default_type application/json; keepalive_requests 1000000000; open_file_cache max=10;
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder}; uwsgi_temp_path {folder};
  scgi_temp_path {folder};
  server {{ listen 127.0.0.1:{port}; location / {{ root {folder}; try_files /body =404; }} }}
}}
"""


@dataclass(frozen=True)
class Compared:
    """The results of one server: requests per second; microseconds of processor time per request; the bare aiohttp handler's
    processor time divided by this server's (higher is faster); latencies in milliseconds."""

    name: str
    rate: float
    cpu: float
    ratio: float
    p50: float
    p99: float
    p999: float


def environment_line() -> str:
    """Describe the environment in one line: the processor, Python and its build, and the packages that affect speed."""
    models = [
        line.partition(": ")[2] for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line
    ]
    optimised = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    build = "profile-guided" if optimised else "not profile-guided"
    cores = len(os.sched_getaffinity(0))
    packages = ", ".join(f"{name} {version(name)}" for name in ("aiohttp", "uvloop", "orjson", "SQLAlchemy"))
    processor = models[0] if models else platform.machine()
    return f"{processor}, {cores} cores; Python {platform.python_version()}, {build}; {packages}"


@contextmanager
def raw_servers(folder: Path, body: bytes) -> Iterator[Mapping[str, Process]]:
    """Start the raw servers that are available on this machine, each kept off the core on which wrk runs."""
    (folder / "body").write_bytes(body)
    environment = {**os.environ, "RAW_BODY": str(folder / "body")}
    binaries = installed()
    uvicorn = [str(binaries / "uvicorn"), "tests.load.raw_asgi:app", "--loop", "uvloop", "--http", "httptools"]
    granian = [str(binaries / "granian"), "tests.load.raw_asgi:app", "--interface", "asgi", "--loop", "uvloop"]
    with ExitStack() as stack:
        servers = {
            "uvicorn, raw ASGI": stack.enter_context(
                process(apart([*uvicorn, "--no-access-log", "--log-level", "critical", "--port"]), environment)
            ),
            "granian, raw ASGI": stack.enter_context(
                process(apart([*granian, "--no-ws", "--log-level", "critical", "--port"]), environment)
            ),
        }
        if shutil.which("nginx"):
            servers["nginx, a file"] = stack.enter_context(
                process(apart([sys.executable, "-m", "tests.load.servers", str(folder)]), environment)
            )
        yield {name: _worker(server) for name, server in servers.items()}


def compare(
    servers: Mapping[str, Process], paths: Mapping[str, str], script: Path, seconds: float, rounds: int
) -> Sequence[Compared]:
    """Measure all servers in turn, rotating the order by one in each round. The first entry of `servers` is the bare handler,
    which serves as the baseline."""
    names = list(servers)
    measured: dict[str, list[Run]] = {name: [] for name in names}
    for number in range(rounds + 1):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            found = run(servers[name], paths.get(name, "/"), script, seconds)
            if number:  # the first round is a warm-up
                measured[name].append(found)
    bare = measured[names[0]]
    return [_compared(name, runs, bare) for name, runs in measured.items()]


def table(rows: Sequence[Compared]) -> Iterator[str]:
    """Format the rows as a human-readable table."""
    yield environment_line()
    yield ", ".join(" ".join(pin) for pin in re.findall(r"(?m)^([\w-]+)==(\S+)", REQUIREMENTS.read_text()))
    yield f"{'':22}{'requests/s':>11}{'processor us':>14}{'of bare':>9}{'p50 ms':>9}{'p99 ms':>9}{'p99.9 ms':>10}"
    for row in rows:
        latencies = f"{row.p50:9.2f}{row.p99:9.2f}{row.p999:10.2f}"
        yield f"{row.name:22}{row.rate:11,.0f}{row.cpu:14.1f}{row.ratio:9.2f}{latencies}"


def as_dicts(rows: Sequence[Compared]) -> Iterator[Mapping[str, object]]:
    return map(asdict, rows)


def _compared(name: str, runs: Sequence[Run], bare: Sequence[Run]) -> Compared:
    ratio = median(ours.cpu / own.cpu for ours, own in zip(bare, runs, strict=True))
    middle = Run(*map(median, zip(*runs, strict=True)))
    return Compared(name, middle.rate, middle.cpu, ratio, middle.p50, middle.p99, middle.p999)


def installed() -> Path:
    """Return the folder with the programs of the pinned packages, which are installed on first use."""
    folder = ROOT / ".cache" / f"servers-{crc32(REQUIREMENTS.read_bytes())}"
    if not (folder / "installed").exists():
        click.echo("Installing uvicorn and granian, only once …", err=True)
        venv.create(folder, with_pip=True, clear=True)
        command = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        subprocess.run([*command, "-r", str(REQUIREMENTS)], check=True)
        (folder / "installed").touch()
    return folder / "bin"


def _worker(server: Process) -> Process:
    """Return the process that handles requests. Granian handles them in a child process, the last one that it started."""
    children = child_processes(server.pid)
    return Process(server.address, children[-1] if children else server.pid)


def _run_nginx(folder: Path, port: str) -> None:
    configuration = folder / "nginx.conf"
    configuration.write_text(_NGINX.format(folder=folder, port=port))
    os.execvp("nginx", ["nginx", "-c", str(configuration), "-p", str(folder)])


if __name__ == "__main__":
    _run_nginx(Path(sys.argv[1]), sys.argv[2])
