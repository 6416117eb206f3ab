"""Starts processes, and runs wrk against them. Needs `wrk`, which Debian and Ubuntu provide as a package."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.load.watched import longest_pause

ROOT = Path(__file__).parents[2]
BASE = "/api/headless/v1"
BUNDLESVC = (sys.executable, "-m", "bundlesvc")
SERVE = (*BUNDLESVC, "serve", "--port")
CONNECTIONS = 32
CORES = sorted(os.sched_getaffinity(0))
NO_LIMIT = 10**9


class Process(NamedTuple):
    """A server process. `pauses` is the file to which `watched.py` writes the longest pause of the server's event loop; None if
    the server is not watched."""

    address: str
    pid: int
    pauses: Path | None = None


class Run(NamedTuple):
    """The results of one run of wrk: `rate` in requests per second, and `cpu`, the microseconds of the server's processor time
    per request. `busy` is the share of time in which the server ran or waited for a processor; otherwise it waited for wrk or the
    disk. Latencies are in milliseconds: the 50th, 99th and 99.9th percentiles and the longest. `pause` is the longest pause of
    the server's event loop, 0 if it is not watched; `sent` is the number of requests."""

    rate: float
    cpu: float
    busy: float
    p50: float
    p99: float
    p999: float
    longest: float
    pause: float
    sent: float


@contextmanager
def process(command: Sequence[str], environment: Mapping[str, str], pauses: Path | None = None) -> Iterator[Process]:
    """Start a server on a free port, passed as its last argument, and wait until it listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with subprocess.Popen([*command, str(port)], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(port)
            yield Process(f"http://127.0.0.1:{port}", server.pid, pauses)
        finally:
            server.terminate()


def run(
    server: Process, path: str, script: Path, seconds: float, cores: Sequence[int] = CORES[-1:], first: int = 0
) -> Run:
    """Run wrk on these cores, with one path or with the requests that the script generates, and return the results. A script that
    sends requests in turn starts with the request number `first`."""
    timed = script.with_suffix(".timed.lua")
    timed.write_text(script.read_text() + _LATENCIES)
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", "-d1h", "-s", str(timed), f"{server.address}{path}", "--", str(first)]
    longest_pause(server.pauses)
    before = cpu_seconds(server.pid)
    with subprocess.Popen(_on(cores, command), stdout=subprocess.PIPE, text=True) as wrk:
        threads = Path(f"/proc/{wrk.pid}/task")
        while wrk.poll() is None and len([*threads.iterdir()]) == 1:
            time.sleep(0.001)
        began, busy = time.monotonic(), _busy_seconds(server.pid)
        time.sleep(seconds)
        busy = (_busy_seconds(server.pid) - busy) / (time.monotonic() - began)
        wrk.send_signal(signal.SIGINT)  # wrk itself can only measure for whole seconds
        printed, _ = wrk.communicate()
    count, rate = re.search(r"(\d+) requests in", printed), re.search(r"Requests/sec:\s+([\d.]+)", printed)
    latencies = re.search(r"latencies (\d+) (\d+) (\d+) (\d+)", printed)
    if count is None or rate is None or latencies is None or "Non-2xx" in printed:
        sys.exit(f"{path} was not answered as expected:\n{printed}")
    if not int(count[1]):
        sys.exit(
            f"No request to {path} was answered within {seconds} s. Take longer runs (--seconds), or a quieter machine."
        )
    cpu = (cpu_seconds(server.pid) - before) * 1e6 / int(count[1])
    p50, p99, p999, longest = (int(found) / 1000 for found in latencies.groups())
    return Run(float(rate[1]), cpu, busy, p50, p99, p999, longest, longest_pause(server.pauses), int(count[1]))


def watched(command: Sequence[str], pauses: Path) -> Sequence[str]:
    """Wrap the command that runs a server (`python -m …`), so that pauses in the server's event loop are recorded."""
    python, _, *module = command
    return [python, "-m", "tests.load.watched", str(pauses), *module]


def apart(command: Sequence[str]) -> Sequence[str]:
    """Wrap the command that runs a server, so that the server stays off wrk's core. Otherwise both processes would migrate
    between cores and distort the measured ratio."""
    return _on(CORES[:-1], command)


def _on(cores: Sequence[int], command: Sequence[str]) -> Sequence[str]:
    return ["taskset", "--cpu-list", ",".join(map(str, cores)), *command] if len(CORES) > 1 else command


_LATENCIES = """
function done(summary, latency, requests)
  local values = {latency:percentile(50), latency:percentile(99), latency:percentile(99.9), latency.max}
  io.write(string.format("latencies %d %d %d %d\\n", unpack(values)))
end"""
"""The part of a script that prints latencies, in microseconds."""


_RANDOM = "tonumber(tostring({}):match('0x(%x+)'), 16) % 1000000007"
"""A Lua expression for a number that is different in each run: the address of a new table."""


def script(headers: Mapping[str, str], bodies: Sequence[str] = (), varied: str = "") -> str:
    """Generate a script for wrk. It sends the bodies in turn, so that no response can be reused. The `varied` header gets a
    different value in each request."""
    lines = [f'wrk.headers["{name}"] = [[{value}]]' for name, value in headers.items()]
    if varied:
        lines.append(_varied(varied, bodies))
    elif bodies:
        lines.append(drawn(f"wrk.format('POST', nil, nil, [[{body}]])" for body in bodies))
    return "\n".join(lines)


def _varied(header: str, bodies: Sequence[str]) -> str:
    """Generate the part of a script that sends the bodies in turn, like `drawn`, or GET requests if there are no bodies. The
    header's value differs in every request, even across runs."""
    texts = ", ".join(f"[[{body}]]" for body in bodies)
    method = "POST" if bodies else "GET"
    return "\n".join(
        [
            f"local bodies, value, number = {{{texts}}}, {_RANDOM} * 1000000",
            "function init(args) number = tonumber(args[1]) end",
            "function request()",
            "  number, value = number + 1, value + 1",
            f"  wrk.headers['{header}'] = string.format('%.0f', value)",
            f"  return wrk.format('{method}', nil, nil, bodies[number % #bodies + 1])",
            "end",
        ]
    )


def mixed(headers: Mapping[str, str], requests: Sequence[str], unseen: str) -> str:
    """Generate a script for wrk that sends these requests in turn. Each empty request is replaced by a GET of `unseen` with a new
    number appended. The numbers start at a random value, so that no two runs send the same request."""
    lines = [f'wrk.headers["{name}"] = [[{value}]]' for name, value in headers.items()]
    texts = (request or "false" for request in requests)
    return "\n".join(
        [
            *lines,
            f"local requests, number = nil, {_RANDOM}",
            f"function init(args) requests = {{{', '.join(texts)}}} end",
            "function request()",
            "  number = number + 1",
            f"  return requests[number % #requests + 1] or wrk.format('GET', '{unseen}' .. number)",
            "end",
        ]
    )


def drawn(requests: Iterator[str]) -> str:
    """Generate the part of a wrk script that sends these requests in turn, repeatedly. The first argument of the script is the
    number of the first request."""
    return "\n".join(
        [
            "local requests, number",
            f"function init(args) number, requests = tonumber(args[1]), {{{', '.join(requests)}}} end",
            "function request() number = number + 1; return requests[number % #requests + 1] end",
        ]
    )


def bundlesvc(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a `bundlesvc` command, and return its output."""
    command = [*BUNDLESVC, *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def make_key(environment: Mapping[str, str], shop: str) -> str:
    """Create an API key without a rate limit, for both the headless and the embed API."""
    options = ("--shop", shop, "--label", "bench", "--rate-limit", str(NO_LIMIT), "--scope", "headless")
    created = json.loads(bundlesvc(environment, "keys", "create", *options, "--scope", "embed", "--json"))
    return str(created["key"])


def cpu_seconds(pid: int) -> float:
    """Return the processor time that all threads of a running process have used so far."""
    return time.clock_gettime(~pid << 3 | 2)  # the clock that clock_getcpuclockid(3) returns


def _busy_seconds(pid: int) -> float:
    """Return how many seconds the first thread of a process has spent running or waiting for a processor."""
    ran, waited, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
    return (int(ran) + int(waited)) / 1e9


def memory(pid: int) -> float:
    """Return the resident memory of a process in MiB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def _wait_for(port: int) -> None:
    for _ in range(4000):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.005)
        else:
            return
    sys.exit(f"nothing listens on port {port}")
