"""`WEB_CONCURRENCY` above one: several worker processes share one port."""

import http.client
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import orjson
import pytest

from bundlesvc.serving.metrics_port import MAX_CONNECTIONS
from tests.process.serving import BASE, TIMEOUT, Server, accepts, command, prepare, selection, serving
from tests.process.shop import BOX, MUG, PLAIN_MUG, SHIRT, SHIRT_M
from tests.process.test_demo import DEMO, curl_command, run_curl
from tests.scrape import Samples, samples
from tests.servers.free_port import free_port
from tests.servers.postgres_server import PostgresServer

WORKERS = 2
SEVERAL = {"WEB_CONCURRENCY": str(WORKERS)}
ITEMS = selection("native", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 2))


def until(condition: Callable[[], object]) -> None:
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < TIMEOUT, "timed out"
        time.sleep(0.02)


def lines(server: Server, level: str) -> list[str]:
    """Return the events that were logged at this level."""
    logged = map(orjson.loads, server.out.text.splitlines())
    return [line["event"] for line in logged if line["level"] == level]


def alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def metrics(server: Server) -> str:
    try:
        return server.get("/metrics").body.decode()
    except OSError:
        return ""


def responds(server: Server, path: str = "/healthz") -> bool:
    try:
        return server.get(path).status == 200
    except OSError:
        return False


@pytest.fixture
def key(tmp_path: Path) -> str:
    return prepare(tmp_path)


@pytest.fixture
def server(key: str, tmp_path: Path) -> Iterator[Server]:
    """A server whose workers are all serving."""
    with serving(tmp_path, settings=SEVERAL) as server:
        until(lambda: f"bundlesvc_processes {WORKERS:.1f}\n" in metrics(server))
        yield server


def test_workers_share_one_port(server: Server, key: str) -> None:
    until(lambda: len(server.workers()) == WORKERS)
    configured = [server.post(f"{BASE}/bundles/{BOX}/configure", key, ITEMS).json for _ in range(20)]
    assert len({response["configured_bundle_id"] for response in configured}) == 20
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"):
        assert server.get(path).status == 200
    assert server.stop() == 0
    assert server.err.end() == ""
    logged = [orjson.loads(line) for line in server.out.end().splitlines()]
    assert sum(line.get("path") == f"{BASE}/bundles/{BOX}/configure" for line in logged) == 20
    assert [line["event"] for line in logged if line["level"] == "error"] == []


def test_rate_limits_per_process_are_warned_about_once(server: Server) -> None:
    until(lambda: len(server.workers()) == WORKERS)
    assert responds(server)
    (warning,) = lines(server, "warning")
    assert warning == (
        "WEB_CONCURRENCY=2 without REDIS_URL: each process counts rate limits for itself, "
        "so a key can make up to 2 times as many requests."
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_running_requests_are_finished_at_shutdown(number: signal.Signals, server: Server, key: str) -> None:
    """Requests in progress are completed before the server shuts down, even if half of their body arrives only after the
    signal."""
    body = orjson.dumps(ITEMS)
    head = (
        f"POST {BASE}/bundles/{BOX}/configure HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
    )
    connections = [socket.create_connection(("127.0.0.1", server.port), 5) for _ in range(6)]
    for connection in connections:
        connection.sendall(head.encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 "), "the request is being handled"
        connection.sendall(body[:10])

    server.send(number)
    until(lambda: not accepts(server.port))
    for connection in connections:
        with closing(connection):
            connection.sendall(body[10:])
            assert connection.recv(1000).startswith(b"HTTP/1.1 200 ")
    assert server.wait() == 0
    assert server.err.end() == ""


def test_idle_connections_do_not_delay_shutdown(server: Server, key: str) -> None:
    connections = [server.connect() for _ in range(6)]
    for connection in connections:
        connection.request("GET", f"{BASE}/bundles", headers={"Authorization": f"Bearer {key}"})
        connection.getresponse().read()
    begun = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - begun < 10
    for connection in connections:
        connection.close()


def test_a_killed_worker_is_replaced(server: Server, key: str) -> None:
    until(lambda: len(server.workers()) == WORKERS)
    dead, other = server.workers()
    os.kill(dead, signal.SIGKILL)
    until(lambda: len({*server.workers(), dead}) == WORKERS + 1)
    assert other in server.workers()
    for _ in range(10):
        assert server.get(f"{BASE}/bundles", key).status == 200
    assert any("SIGKILL" in line for line in lines(server, "error"))


def scraped(port: int) -> Samples:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=TIMEOUT) as response:
        return samples(response.read().decode())


def test_one_scrape_sees_all_workers_and_no_counter_falls(key: str, tmp_path: Path) -> None:
    port, requests = free_port(), f'bundlesvc_requests_total{{method="GET",route="{BASE}/bundles",status="200"}}'
    own = {**SEVERAL, "BUNDLESVC_METRICS_PORT": str(port)}
    with serving(tmp_path, settings=own) as server:
        until(lambda: len(server.workers()) == WORKERS and scraped(port)["bundlesvc_processes"] == WORKERS)
        for _ in range(40):
            assert server.get(f"{BASE}/bundles", key).status == 200
        until(lambda: scraped(port).get(requests) == 40)
        dead, _ = server.workers()
        os.kill(dead, signal.SIGKILL)
        until(lambda: len({*server.workers(), dead}) == WORKERS + 1)
        for _ in range(10):
            assert scraped(port)[requests] == 40
        assert server.get("/metrics").status == 404
        assert f"metrics are on http://127.0.0.1:{port}/metrics" in lines(server, "info")
        assert server.stop() == 0
    assert list(tmp_path.glob("bundlesvc-metrics-*")) == []


_EARLY_SIGNAL = """
import os, signal
from bundlesvc.cli.main import main
from bundlesvc.serving.workers import ServiceWorker

def init_process(self):
    if self.age <= 2:
        os.kill(self.pid, signal.SIGTERM)
    else:
        os.kill(self.ppid, signal.SIGTERM)
    super(ServiceWorker, self).init_process()

ServiceWorker.init_process = init_process
main()
"""


def test_a_signal_to_a_worker_that_was_only_just_forked_ends_it(key: str, tmp_path: Path) -> None:
    """A signal ends a worker that has not been set up yet. Here the first two workers send a signal to themselves, and the
    workers that replace them stop the service."""
    program = (sys.executable, "-c", _EARLY_SIGNAL)
    result = command(tmp_path, "serve", "--port", "0", settings=SEVERAL, program=program)
    assert result.returncode == 0, result.stdout
    assert "Perhaps out of memory" not in result.stdout, "the last ones were not killed"


def descriptors(server: Server) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def test_the_metrics_port_has_few_connections_and_still_responds(key: str, tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, settings={"BUNDLESVC_METRICS_PORT": str(port)}) as server, ExitStack() as opened:
        before = descriptors(server)
        for _ in range(MAX_CONNECTIONS * 4):
            opened.enter_context(socket.create_connection(("127.0.0.1", port), TIMEOUT))
        assert scraped(port)["bundlesvc_processes"] == 1
        until(lambda: descriptors(server) <= before + MAX_CONNECTIONS + 5)
        assert scraped(port)["bundlesvc_processes"] == 1


def test_workers_end_when_the_main_process_is_killed(server: Server) -> None:
    until(lambda: len(server.workers()) == WORKERS)
    workers = server.workers()
    server.process.kill()
    server.wait()
    until(lambda: not any(map(alive, workers)))
    assert not accepts(server.port)


def test_the_port_is_free_soon_after_the_main_process_is_killed(key: str, tmp_path: Path) -> None:
    """When the main process is killed, its workers exit without waiting for load balancers to stop sending requests, and the next
    start removes the files left behind."""
    delay = 20
    settings = {**SEVERAL, "BUNDLESVC_STOP_DELAY": str(delay)}
    with serving(tmp_path, settings=settings) as server:
        until(lambda: len(server.workers()) == WORKERS and responds(server))
        workers = server.workers()
        server.process.kill()
        server.wait()
        killed = time.monotonic()
        until(lambda: not any(map(alive, workers)))
        assert time.monotonic() - killed < delay
        assert "stopping: finishing the requests in progress" in server.out.end()
    (left,) = tmp_path.glob("bundlesvc-metrics-*")
    with serving(tmp_path, "--port", str(server.port), settings=settings) as successor:
        until(lambda: responds(successor))
        (own,) = tmp_path.glob("bundlesvc-metrics-*")
        assert own != left


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_in_use_is_reported(workers: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = command(tmp_path, "serve", "--port", port, settings={"WEB_CONCURRENCY": workers})
    assert result.returncode == 1
    assert result.stderr == (
        f"bundlesvc: port {port} of 127.0.0.1 is in use by another program. Choose another: PORT=8090, or --port 8090.\n"
    )
    assert "Traceback" not in result.stdout


def test_metrics_need_another_port_than_the_service(tmp_path: Path) -> None:
    result = command(tmp_path, "serve", "--port", "9100", settings={"BUNDLESVC_METRICS_PORT": "9100"})
    assert (result.returncode, result.stderr) == (
        1,
        "bundlesvc: BUNDLESVC_METRICS_PORT is 9100, the port of the service itself. Choose another, such as 9110.\n",
    )


def test_a_port_for_metrics_that_is_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = command(tmp_path, "serve", "--port", "0", settings={"BUNDLESVC_METRICS_PORT": str(port)})
    assert (result.returncode, result.stderr) == (
        1,
        f"bundlesvc: port {port} of 127.0.0.1 is in use by another program. Choose another: BUNDLESVC_METRICS_PORT=9100.\n",
    )


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: \x00\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n",
    ],
)
def test_malformed_requests_get_our_error_body(sent: bytes, server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        connection.sendall(sent)
        with closing(http.client.HTTPResponse(connection)) as response:
            response.begin()
            assert response.status == 400
            assert set(orjson.loads(response.read())) == {"error", "code", "requestId"}
    assert "Traceback" not in server.out.text


def test_a_body_over_the_limit_is_refused(server: Server, key: str) -> None:
    response = server.post(f"{BASE}/bundles/{BOX}/configure", key, b"x" * (1024 * 1024 + 1))
    assert (response.status, response.json["code"]) == (413, "body_too_large")


def test_workers_start_while_the_database_is_down(tmp_path: Path, postgres: PostgresServer) -> None:
    """A running service survives when its workers die while the database is down: new workers start."""
    with postgres.lent(postgres.new_database()) as address:
        prepare(address)
        with serving(tmp_path, settings={**SEVERAL, "DATABASE_URL": address}) as server:
            until(lambda: len(server.workers()) == WORKERS and responds(server, "/readyz"))
            postgres.stop()
            try:
                for worker in server.workers():
                    os.kill(worker, signal.SIGKILL)
                until(lambda: any("cannot start yet" in line for line in lines(server, "warning")))
                assert server.process.poll() is None
            finally:
                postgres.start()
            until(lambda: responds(server, "/readyz"))
            assert server.stop() == 0


def test_demo_mode_works_with_several_workers(tmp_path: Path) -> None:
    prepare(tmp_path)
    with serving(tmp_path, settings={**DEMO, **SEVERAL}) as server:
        line = curl_command(server)
        for _ in range(5):
            assert run_curl(line) == [42, 43]
        assert server.out.text.count("DEMO MODE") == 1
        assert server.stop() == 0


def test_log_lines_of_all_workers_are_complete(server: Server, key: str) -> None:
    for _ in range(50):
        server.get(f"{BASE}/bundles", key)
    assert server.stop() == 0
    logged: list[Any] = [orjson.loads(line) for line in server.out.end().splitlines()]
    assert sum(line.get("path") == f"{BASE}/bundles" for line in logged) == 50
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT.*Z", logged[0]["timestamp"])
