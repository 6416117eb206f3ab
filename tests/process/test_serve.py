"""`bundlesvc serve` starts, reports problems, picks up changes, and shuts down without dropping a request."""

import http.client
import re
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import orjson
import pytest

from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.migrations.schema import HEAD
from bundlesvc.token_cipher import FernetCipher
from tests.html_engine import require_engine
from tests.process.serving import (
    BASE,
    COMMAND,
    TIMEOUT,
    Server,
    accepts,
    add_key,
    command,
    database_of,
    environment,
    in_database,
    prepare,
    selection,
    serving,
)
from tests.process.shop import BOX, MUG, PLAIN_MUG, SHIRT, SHIRT_M, SHOP
from tests.storage.locking import writing

SLOWEST = 5.0
"""The maximum number of seconds until a change takes effect: two by design, plus three for a busy machine."""

ITEMS = selection("native", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 2))


def seconds_until(condition: Callable[[], bool]) -> float:
    """Wait until the condition is true, and return the number of seconds that this took."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < SLOWEST + 1, "timed out"
        time.sleep(0.05)
    return time.monotonic() - begun


def test_a_server_starts_and_serves_requests(tmp_path: Path) -> None:
    key = prepare(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with serving(tmp_path, "--port", str(port)) as server:
        assert server.address == f"http://127.0.0.1:{port}"
        for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"):
            assert server.get(path).status == 200
        assert [bundle["id"] for bundle in server.get(f"{BASE}/bundles", key).json] == [42, 43]
        assert server.get(f"{BASE}/bundles").status == 403
        configured = server.post(f"{BASE}/bundles/{BOX}/configure", key, ITEMS)
        assert configured.status == 200
        print(f"ready in {server.startup_seconds:.2f} s, {server.memory_megabytes():.0f} MB")  # noqa: T201 - for information
        assert server.stop() == 0
        output, errors = server.out.end(), server.err.end()
    assert errors == ""
    assert key not in output
    assert configured.json["discount"] not in output
    lines = [orjson.loads(line) for line in output.splitlines()]
    assert {line["level"] for line in lines} == {"info"}, "there are no needless warnings"
    with closing(sqlite3.connect(database_of(tmp_path))) as connection:
        (last_used,) = connection.execute("SELECT last_used_at FROM api_keys").fetchone()
    assert last_used == pytest.approx(time.time(), abs=60), "written at shutdown at the latest"


def test_a_server_that_has_rendered_html_stops_normally(tmp_path: Path) -> None:
    require_engine()
    key = prepare(tmp_path)
    with serving(tmp_path) as server:
        html = server.get(f"{BASE}/embed/api/v1/bundle/html?id={BOX}", key)
        assert (html.status, html.body[:9]) == (200, b"<template")
        assert server.stop() == 0
        assert server.err.end() == ""


def test_a_running_request_is_finished_after_sigterm(tmp_path: Path) -> None:
    """A request is still finished if it is waiting for a database lock held by another program when the signal arrives."""
    key = prepare(tmp_path)
    with serving(tmp_path) as server, closing(server.connect()) as connection:
        with writing(str(database_of(tmp_path))):
            headers = {"Authorization": f"Bearer {key}"}
            connection.request("POST", f"{BASE}/bundles/{BOX}/configure", orjson.dumps(ITEMS), headers)
            for _ in range(2):
                assert server.get("/healthz").status == 200  # handled after the POST, on the same event loop
            server.send(signal.SIGTERM)
            seconds_until(lambda: not accepts(server.port))
            assert server.process.poll() is None
        response = connection.getresponse()
        assert response.status == 200
        assert orjson.loads(response.read())["configured_bundle_id"]
        assert server.wait() == 0
        assert server.err.end() == ""


def test_a_request_with_half_a_body_is_finished_after_sigterm(tmp_path: Path) -> None:
    """A request is finished even if half of its body arrives only after the signal."""
    key = prepare(tmp_path)
    body = orjson.dumps(ITEMS)
    with serving(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port), 5) as connection:
        head = (
            f"POST {BASE}/bundles/{BOX}/configure HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
            f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
        )
        connection.sendall(head.encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 "), "the request is being handled"
        connection.sendall(body[:10])

        server.send(signal.SIGTERM)
        seconds_until(lambda: not accepts(server.port))
        connection.sendall(body[10:])

        assert connection.recv(1000).startswith(b"HTTP/1.1 200 ")
        assert server.wait() == 0


def test_readyz_fails_before_a_process_stops_listening(tmp_path: Path) -> None:
    """Between SIGTERM and the moment when the process stops listening, requests are still served."""
    key = prepare(tmp_path)
    with serving(tmp_path, settings={"BUNDLESVC_STOP_DELAY": "20"}) as server:
        assert server.get("/readyz").status == 200
        server.send(signal.SIGTERM)
        seconds_until(lambda: server.get("/readyz").status == 503)

        refused = server.get("/readyz")
        assert (refused.json["code"], refused.headers["Retry-After"]) == ("shutting_down", "5")
        for path in ("/healthz", f"{BASE}/bundles"):
            response = server.get(path, key)
            assert (response.status, response.headers["Connection"]) == (200, "close")

        server.send(signal.SIGTERM)
        assert server.wait() == 0
        assert server.err.end() == ""


def test_ctrl_c_stops_a_process_without_delay(tmp_path: Path) -> None:
    prepare(tmp_path)
    with serving(tmp_path, settings={"BUNDLESVC_STOP_DELAY": "20"}) as server:
        server.send(signal.SIGINT)
        seconds_until(lambda: not accepts(server.port))
        assert server.wait() == 0


def test_idle_connections_do_not_delay_shutdown(tmp_path: Path) -> None:
    key = prepare(tmp_path)
    with serving(tmp_path) as server:
        connections = [server.connect() for _ in range(5)]
        for connection in connections:
            connection.request("GET", f"{BASE}/bundles", headers={"Authorization": f"Bearer {key}"})
            connection.getresponse().read()
        begun = time.monotonic()
        server.send(signal.SIGINT)
        assert server.wait() == 0
        assert time.monotonic() - begun < 10
        assert server.err.end() == ""
        for connection in connections:
            connection.close()


def _has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(not _has_ipv6(), reason="this machine has no IPv6")
def test_an_ipv6_address_is_printed_in_brackets(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "::1") as server:
        assert server.address == f"http://[::1]:{server.port}"


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = command(tmp_path, "serve", "--port", port)
    assert result.returncode == 1
    assert result.stderr == (
        f"bundlesvc: port {port} of 127.0.0.1 is in use by another program."
        " Choose another: PORT=8090, or --port 8090.\n"
    )
    assert "Traceback" not in result.stdout


@pytest.mark.parametrize("host", ["not a host", "192.0.2.1"])
def test_an_unusable_host_is_reported(host: str, tmp_path: Path) -> None:
    result = command(tmp_path, "serve", "--host", host, "--port", "0")
    assert "Traceback" not in result.stdout + result.stderr
    assert result.returncode == 1
    assert result.stderr.startswith("bundlesvc: ")
    assert result.stderr.count("\n") == 1
    assert f"{host} is not an address of this host. Choose another: BUNDLESVC_HOST, or --host." in result.stderr


def test_serve_requires_secret_keys(tmp_path: Path) -> None:
    result = command(tmp_path, "serve", settings={"BUNDLESVC_SECRET_KEYS": None})
    assert (result.returncode, result.stdout) == (1, "")
    first, _, proposed = result.stderr.splitlines()
    assert first.startswith("bundlesvc: BUNDLESVC_SECRET_KEYS is not set: ")
    FernetCipher((proposed,))
    assert not database_of(tmp_path).exists()


@pytest.mark.parametrize("url", ["redis://:hunter2@host?ssl_ca_certs=ca.pem", "redis+sentinel://:hunter2@host"])
def test_wrong_redis_url_is_reported(url: str, tmp_path: Path) -> None:
    result = command(tmp_path, "serve", settings={"REDIS_URL": url})
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("bundlesvc: ")
    assert "REDIS_URL: " in result.stderr
    assert "hunter2" not in result.stderr
    assert result.stderr.count("\n") <= 2


def test_risky_settings_are_warned_about_at_start(tmp_path: Path) -> None:
    settings = {"DYNO": "web.1", "WEB_CONCURRENCY": "2"}
    with serving(tmp_path, settings=settings) as server:
        warnings = [line for line in map(orjson.loads, server.out.text.splitlines()) if line["level"] == "warning"]
    events = " ".join(line["event"] for line in warnings)
    assert database_of(tmp_path).is_file(), "created if missing"
    assert str(database_of(tmp_path)) in events
    assert "this host's disk is not persistent" in events
    assert "DATABASE_URL" in events
    assert "WEB_CONCURRENCY" in events
    assert "REDIS_URL" in events


def test_changes_show_within_two_seconds(tmp_path: Path) -> None:
    """Changes made by a process other than the server (here the test process) take effect within two seconds."""
    key = prepare(tmp_path)
    changed = tmp_path / "changed.yaml"
    changed.write_text(SHOP.read_text().replace("name: Box", "name: Crate"))

    def change(work: Callable[[Database], Awaitable[object]]) -> None:
        in_database(tmp_path, work)

    with serving(tmp_path) as server:

        def names() -> list[str]:
            return [bundle["name"] for bundle in server.get(f"{BASE}/bundles", key).json]

        def status(key: str) -> int:
            return server.get(f"{BASE}/bundles", key).status

        assert names() == ["Box", "Pair"]
        change(lambda database: SqlShopFileStore(database).replace(read_shop_file(changed)))
        times = {"new data": seconds_until(lambda: names() == ["Crate", "Pair"])}

        another = in_database(tmp_path, add_key)
        assert status(another) == 200, "a new key works at once"
        change(lambda database: SqlKeyStore(database).revoke_key(another[:16]))
        times["revoked key"] = seconds_until(lambda: status(another) == 403)
        assert status(key) == 200

        change(lambda database: SqlKeyStore(database).set_headless("demo", enabled=False))
        times["disabled shop"] = seconds_until(lambda: status(key) == 403)

    print({name: round(seconds, 2) for name, seconds in times.items()})  # noqa: T201 - for information
    assert max(times.values()) < SLOWEST


def test_simultaneous_upgrades_create_the_tables_once(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [*COMMAND, "db", "upgrade"], cwd=tmp_path, env=environment(tmp_path), stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    outputs = sorted(process.communicate(timeout=TIMEOUT)[1] for process in processes)
    assert [process.returncode for process in processes] == [0] * 3
    already, now = (f"The tables are {when} at version {HEAD}.\n" for when in ("already", "now"))
    assert outputs == [already] * 2 + [now]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that send malformed requests."""
    with serving(tmp_path_factory.mktemp("running")) as server:
        yield server


def send(server: Server, sent: bytes) -> tuple[int, str]:
    """Send raw bytes. Returns the status of the response, and what the server has logged while handling them."""
    before = len(server.out.text)
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        connection.sendall(sent)
        status = int(connection.recv(1000).split(b" ")[1])
    marker = f"/marker-{time.monotonic_ns()}"
    assert server.get(marker).status == 404
    assert server.out.wait_for(re.compile(marker))
    return status, server.out.text[before:]


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /%FF%00%0A?x=%ED%A0%80 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /\xed\xa0\x80 HTTP/1.1\r\nHost: x\r\nX-Request-Id: \xff\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: \x00\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"nonsense\r\n\r\n",
    ],
    ids=range(6),
)
def test_malformed_requests_get_a_4xx_and_log_no_error(sent: bytes, running: Server) -> None:
    """Malformed requests get a 4xx response and log no error. Otherwise anyone could fill the log with tracebacks."""
    status, logged = send(running, sent)
    assert 400 <= status < 500
    assert "Traceback" not in logged
    assert '"error"' not in logged


def test_a_key_in_a_broken_header_is_not_logged(running: Server) -> None:
    sent = b"GET /healthz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer bnd_live_hunter2\x01\r\n\r\n"
    status, logged = send(running, sent)
    assert status == 400
    assert "hunter2" not in logged


def test_a_closed_log_pipe_fails_no_request(tmp_path: Path) -> None:
    """Requests still succeed after the log collector has exited."""
    key = prepare(tmp_path)
    with logging_into_a_pipe(tmp_path) as (port, log):
        log.close()
        for path, status in ((f"{BASE}/bundles", 200), (f"{BASE}/bundles/1", 404)) * 3:
            assert _status(port, path, key) == status


def test_a_stalled_log_reader_delays_no_request(tmp_path: Path) -> None:
    """A log pipe that nobody reads does not block the process when the pipe's buffer of 64 KiB is full."""
    key = prepare(tmp_path)
    with logging_into_a_pipe(tmp_path) as (port, _):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        with closing(connection):
            for _ in range(1000):
                connection.request("GET", f"{BASE}/bundles", headers={"Authorization": f"Bearer {key}"})
                with connection.getresponse() as response:
                    response.read()
                assert response.status == 200


@contextmanager
def logging_into_a_pipe(folder: Path) -> Iterator[tuple[int, IO[bytes]]]:
    """Start a service that logs to a pipe. Yields the service's port and the pipe. The log has been read up to the line with
    "listening", and nothing after that line is read."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", str(port)], cwd=folder, env=environment(folder), stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        with process.stdout as log:
            assert b"listening" in log.readline()
            yield port, log
    finally:
        process.kill()
        process.wait(TIMEOUT)


def _status(port: int, path: str, key: str) -> int:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return int(response.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


def test_platform_endpoint_is_warned_about(tmp_path: Path) -> None:
    with serving(tmp_path, settings={"BUNDLESVC_PLATFORM_ENDPOINT": "http://127.0.0.1:9292"}) as server:
        (warning,) = [line for line in map(orjson.loads, server.out.text.splitlines()) if line["level"] == "warning"]
    assert warning["event"].startswith("BUNDLESVC_PLATFORM_ENDPOINT is set: access tokens")
    assert "http://127.0.0.1:9292" in warning["event"]
