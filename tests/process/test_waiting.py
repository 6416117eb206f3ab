"""`bundlesvc serve` waits for a PostgreSQL server that is not reachable yet, and fails immediately when the settings are
wrong."""

import http.client
import re
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.postgresql.failures import may_come
from tests.process.serving import BASE, TIMEOUT, Server, command, prepare, serving
from tests.servers.postgres_server import PostgresServer, postgres_server

pytestmark = pytest.mark.process

WAITING, RESPONDS = " without the database (", "the database responds."


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A PostgreSQL server that these tests stop and start."""
    with postgres_server() as server:
        yield server


@pytest.fixture
def stopped(server: PostgresServer) -> Iterator[PostgresServer]:
    """A server that the test may stop. It is restarted afterwards."""
    yield server
    server.stop()
    server.start()


def until_ready(server: Server) -> None:
    """Wait until the service is ready. The connection may break while the process switches from waiting to serving."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            if server.get("/readyz").status == 200:
                return
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.05)
    pytest.fail("not ready in time")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_requests_are_refused_until_the_database_comes(workers: str, stopped: PostgresServer, tmp_path: Path) -> None:
    address = stopped.url(stopped.new_database())
    key = prepare(address)
    stopped.stop()
    settings = {"DATABASE_URL": address, "WEB_CONCURRENCY": workers}
    with serving(tmp_path, settings=settings) as service:
        assert service.get("/healthz").status == 200
        for path in ("/readyz", f"{BASE}/bundles", "/metrics", "/"):
            refused = service.get(path, key)
            assert (refused.status, refused.json["code"]) == (503, "storage_unavailable")
            assert refused.headers["Retry-After"] == "2"
            assert refused.headers["X-Request-Id"] == refused.json["requestId"]
        stopped.start()
        until_ready(service)
        assert service.get(f"{BASE}/bundles", key).status == 200
        assert service.stop() == 0
        said = service.out.end()
        assert (said.count(WAITING), said.count(RESPONDS)) == (1, 1)
        assert service.err.end() == ""


def test_a_signal_ends_the_wait(stopped: PostgresServer, tmp_path: Path) -> None:
    stopped.stop()
    with serving(tmp_path, settings={"DATABASE_URL": stopped.url()}) as service:
        assert service.stop() == 0
        assert WAITING in service.out.end()
        assert service.err.end() == ""


def test_a_database_that_comes_without_tables_ends_the_wait(stopped: PostgresServer, tmp_path: Path) -> None:
    address = stopped.url(stopped.new_database())
    stopped.stop()
    with serving(tmp_path, settings={"DATABASE_URL": address}) as service:
        stopped.start()
        assert service.wait() == 1
        assert service.err.end() == "bundlesvc: The database has no tables yet. Run: bundlesvc db upgrade\n"


def test_a_wrong_name_of_the_database_fails_at_once(server: PostgresServer, tmp_path: Path) -> None:
    result = command(tmp_path, "serve", "--port", "0", settings={"DATABASE_URL": server.url("nothing_of_this_name")})
    assert result.returncode == 1
    assert re.fullmatch(
        r'bundlesvc: .*"nothing_of_this_name" does not exist\) DATABASE_URL names it: .*\n', result.stderr
    )


@pytest.mark.parametrize(
    ("error", "waits"),
    [
        (ConnectionRefusedError(), True),
        (TimeoutError(), True),
        (FileNotFoundError(), True),
        (socket.gaierror(socket.EAI_AGAIN, "later"), True),
        (socket.gaierror(socket.EAI_NONAME, "unknown"), False),
        (ssl.SSLCertVerificationError(), False),
        (None, False),
    ],
    ids=repr,
)
def test_only_what_may_come_is_waited_for(error: Exception | None, waits: bool) -> None:
    failure = StorageUnavailable()
    failure.__cause__ = error
    assert may_come(failure) is waits
