"""Attack: more connections than the limit allows, or than the process has file descriptors for."""

import asyncio
import re
import resource
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, suppress
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from bundlesvc.api.server import connection, pending_connections
from bundlesvc.api.server.connections import SWEEP_PARTS, ConnectionServer
from bundlesvc.api.server.descriptors import SPARE_CONNECTIONS
from bundlesvc.settings.environment import Settings
from tests.api.conftest import BASE, Api, MakeApi
from tests.api.raw import raw_connection
from tests.api.running_server import server_of
from tests.process.serving import COMMAND, TIMEOUT, Server, prepare, serving

MOST = 40
ASK_HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def api(make_api: MakeApi, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Api:
    monkeypatch.setattr(connection, "IDLE_SECONDS", 0)
    return await make_api(settings=replace(settings, max_connections=MOST, header_timeout=30))


@asynccontextmanager
async def attackers(api: Api, count: int, sent: bytes) -> AsyncIterator[list[Connection]]:
    """Open this number of connections, which send these bytes and stay open."""
    async with AsyncExitStack() as opened:
        connections = []
        for _ in range(count):
            reader, writer = await opened.enter_async_context(raw_connection(api.client))
            writer.write(sent)
            connections.append((reader, writer))
        await asyncio.sleep(0.1)  # all of them have been accepted by now
        yield connections


def half_a_body(api: Api) -> bytes:
    """The head of a request whose body does not arrive."""
    own = f"Authorization: Bearer {api.key}\r\nContent-Length: 1000\r\n\r\n"
    return f"POST {BASE}/bundles/20/price HTTP/1.1\r\nHost: x\r\n{own}".encode()


async def fetched(api: Api, path: str) -> tuple[int, bytes]:
    """Fetch a path over a new connection, and return the status and the body."""
    async with raw_connection(api.client) as (reader, writer):
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        response = await asyncio.wait_for(reader.read(), 60)
    return int(response.split()[1]), response.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\n", ASK_HEALTH], ids=["nothing", "half a header", "a request"]
)
async def test_idle_connections_are_closed_for_new_ones(api: Api, sent: bytes) -> None:
    async with attackers(api, 3 * MOST, sent):
        for path in ("/healthz", "/openapi.json", "/storefront/bundle-builder.js"):
            assert (await fetched(api, path))[0] == 200


async def test_connections_are_looked_at_a_few_at_a_time(
    quick_sweeps: None, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections are checked a few at a time, because closing thousands in one turn would delay all other clients."""
    looks: list[set[connection.Connection]] = []
    all_seen = asyncio.Event()
    sweep, look = ConnectionServer._sweep, ConnectionServer._look

    def sweeping(server: ConnectionServer, parts: list[list[connection.Connection]]) -> None:
        looks.append(set())
        sweep(server, parts)

    def looking(server: ConnectionServer, each: connection.Connection, now: float) -> None:
        looks[-1].add(each)
        look(server, each, now)
        if len(set().union(*looks)) >= MOST - 1:
            all_seen.set()

    monkeypatch.setattr(ConnectionServer, "_sweep", sweeping)
    monkeypatch.setattr(ConnectionServer, "_look", looking)
    async with attackers(api, MOST - 1, b""), asyncio.timeout(60):
        await all_seen.wait()
    assert max(map(len, looks)) <= MOST // SWEEP_PARTS + 1


async def test_connections_are_not_closed_for_new_ones_at_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Young connections are not closed to make room for new ones, because their requests may still be on the way."""
    monkeypatch.setattr(connection, "IDLE_SECONDS", 60)
    async with attackers(api, MOST, b"") as opened:
        assert (await fetched(api, "/openapi.json"))[0] == 503
        assert (await fetched(api, "/readyz"))[0] == 200
        for reader, writer in opened:
            writer.write(ASK_HEALTH)
            assert (await asyncio.wait_for(reader.readuntil(b'"ok"}'), 60)).startswith(b"HTTP/1.1 200 ")


async def test_connections_without_a_request_are_closed_first(api: Api) -> None:
    async with attackers(api, 1, ASK_HEALTH) as (visitor,), attackers(api, 2 * MOST, b""):
        reader, writer = visitor
        await reader.readuntil(b'"ok"}')
        writer.write(ASK_HEALTH)

        assert (await asyncio.wait_for(reader.readuntil(b'"ok"}'), 60)).startswith(b"HTTP/1.1 200 ")


async def test_health_checks_succeed_when_all_connections_are_busy(api: Api) -> None:
    """Health checks succeed when all connections are busy; other requests are refused immediately, with a reason."""
    async with attackers(api, MOST, half_a_body(api)):
        assert await fetched(api, "/healthz") == (200, b'{"status": "ok"}')
        status, body = await fetched(api, "/openapi.json")
        assert (status, orjson.loads(body)["code"]) == (503, "overloaded")

    assert (await fetched(api, "/openapi.json"))[0] == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_a_health_check_beyond_the_limit_gets_one_response(api: Api, path: str) -> None:
    """A health check beyond the connection limit gets one response, and its connection closes."""
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    async with attackers(api, MOST, half_a_body(api)), raw_connection(api.client) as (reader, writer):
        writer.write(request * 2)
        response = await asyncio.wait_for(reader.read(), 60)
    assert response.count(b"HTTP/1.1 ") == response.count(b"HTTP/1.1 200 ") == 1
    assert b"\r\nConnection: close\r\n" in response


async def test_connections_beyond_the_limit_are_bounded_too(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of connections beyond the limit is itself limited: the oldest of them is closed to make room for a new one,
    which may be a health check."""
    monkeypatch.setattr(server_of(api.client), "_spare", SPARE_CONNECTIONS)
    async with attackers(api, MOST, half_a_body(api)), attackers(api, SPARE_CONNECTIONS + 10, b"") as opened:
        reader, _ = opened[0]
        with pytest.raises((ConnectionError, AssertionError)):
            assert await asyncio.wait_for(reader.read(), 60)
        assert await fetched(api, "/healthz") == (200, b'{"status": "ok"}')


async def test_closed_connections_are_counted(api: Api) -> None:
    async with attackers(api, 2 * MOST, b""):
        _, metrics = await fetched(api, "/metrics")

    found = re.search(rb'bundlesvc_connections_closed_total\{reason="crowded"\} (\d+)', metrics)
    assert found
    assert int(found[1]) >= MOST


async def test_connections_beyond_the_limit_end_with_the_server(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending_connections, "SECONDS", 600)
    async with attackers(api, MOST, half_a_body(api)), attackers(api, 1, b"") as ((reader, _),):
        await server_of(api.client).shutdown(1)
        with suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), 60) == b""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    prepare(tmp_path)
    with serving(tmp_path) as server:
        yield server


def events(server: Server, level: str) -> list[str]:
    return [line["event"] for line in map(orjson.loads, server.out.text.splitlines()) if line["level"] == level]


@pytest.mark.process
def test_a_thousand_silent_connections_cause_no_outage(server: Server) -> None:
    """A thousand silent connections cause no outage and do not use up the file descriptors."""
    with ExitStack() as opened:
        for _ in range(1100):
            opened.enter_context(closing(socket.create_connection(("127.0.0.1", server.port), TIMEOUT)))
        assert server.get("/healthz").status == 200
        assert server.get("/readyz").status == 200
        assert events(server, "warning") == []


@pytest.mark.process
def test_running_out_of_descriptors_is_logged(server: Server) -> None:
    """Running out of file descriptors is logged as such."""
    assert server.get("/readyz").status == 200
    used = {int(path.name) for path in Path(f"/proc/{server.process.pid}/fd").iterdir()}
    free = min(set(range(len(used) + 1)) - used)
    limit, most = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (free, most))
    try:
        assert server.out.wait_for(re.compile(r"out of file descriptors \(limit: \d+\)"))
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (limit, most))
    assert server.out.wait_for(re.compile("there are file descriptors again"))
    assert server.get("/readyz").status == 200


@pytest.mark.process
def test_few_descriptors_lower_the_connection_limit(tmp_path: Path) -> None:
    """A process with few file descriptors lowers its connection limit accordingly, and logs a warning."""
    prepare(tmp_path)
    program = ("sh", "-c", 'ulimit -n 512; exec "$@"', "sh", *COMMAND)
    with serving(tmp_path, program=program) as server, ExitStack() as opened:
        assert "this process may open 512 files: it accepts 280 connections instead of 2000" in server.out.text
        for _ in range(600):
            opened.enter_context(closing(socket.create_connection(("127.0.0.1", server.port), TIMEOUT)))
        assert server.get("/healthz").status == 200
        assert server.get("/readyz").status == 200
        (_, crowded) = events(server, "warning")
        assert crowded.startswith("280 connections are open, which is the limit (BUNDLESVC_MAX_CONNECTIONS)")
