"""Runs `bundlesvc` in separate processes: starts, calls, stops and kills them, and reads their output."""

import asyncio
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

import orjson

from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.migrations.schema import upgrade
from bundlesvc.system import RandomIds, SystemClock
from bundlesvc.token_cipher import new_secret_key
from tests.process.shop import SHOP
from tests.servers.child_processes import child_processes
from tests.settings.test_environment import VARIABLES

T = TypeVar("T")

BASE = "/api/headless/v1"
SECRET_KEY = new_secret_key()
TIMEOUT = 120.0
"""Seconds after which a test gives up waiting."""

COMMAND = (sys.executable, "-m", "bundlesvc")
_LISTENING = re.compile(r"listening on (http://[^\s\"]+)")


def environment(folder: Path, settings: Mapping[str, str | None] = {}) -> dict[str, str]:
    """Return the environment of a process that keeps its data in `folder`. A setting with the value None is left out."""
    own = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    defaults = {
        "DATABASE_URL": f"sqlite:///{database_of(folder)}",
        "BUNDLESVC_SECRET_KEYS": SECRET_KEY,
        "BUNDLESVC_STOP_DELAY": "0",
        "TMPDIR": str(folder),  # killed processes leave their temporary files there
    }
    wanted = {**defaults, **settings}
    return own | {name: value for name, value in wanted.items() if value is not None}


def database_of(folder: Path) -> Path:
    return folder / "var" / "shop.db"


def command(
    folder: Path,
    *arguments: object,
    settings: Mapping[str, str | None] = {},
    program: Sequence[str] = COMMAND,
) -> subprocess.CompletedProcess[str]:
    """Run a command that terminates on its own."""
    return subprocess.run(
        [*program, *map(str, arguments)],
        cwd=folder,
        env=environment(folder, settings),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def accepts(port: int) -> bool:
    """Whether a port on this machine accepts connections."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def in_database(place: Path | str, work: Callable[[Database], Awaitable[T]]) -> T:
    """Run work in this process on the database in a folder or at an address, and return its result."""

    async def use() -> T:
        async with open_database(place if isinstance(place, str) else str(database_of(place))) as database:
            return await work(database)

    return asyncio.run(use())


def prepare(place: Path | str, shop: Path = SHOP) -> str:
    """Create a database with the test shop, and return an API key for the shop."""

    async def work(database: Database) -> str:
        await database.write(upgrade)
        await SqlShopFileStore(database).replace(read_shop_file(shop))
        return await add_key(database)

    return in_database(place, work)


async def add_key(database: Database) -> str:
    store = SqlKeyStore(database)
    tenant = await store.tenant("demo")
    assert tenant is not None
    return await create_key(store, tenant, KeyRequest("test", rate_limit=1_000_000), SystemClock(), RandomIds())


@dataclass(frozen=True)
class HttpResponse:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)


class Output:
    """The output of a process, collected while it arrives."""

    def __init__(self, stream: IO[str]) -> None:
        self._lines: list[str] = []
        self._changed = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._thread.start()

    def _read(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                with self._changed:
                    self._lines.append(line)
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    @property
    def text(self) -> str:
        with self._changed:
            return "".join(self._lines)

    def wait_for(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Wait for a match of the pattern, and return it. Returns None if the process ends without a match, or after the
        timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or pattern.search("".join(self._lines)), TIMEOUT)
            return pattern.search("".join(self._lines))

    def end(self) -> str:
        """Wait until the process has ended, and return its whole output."""
        self._thread.join(TIMEOUT)
        return self.text


class NotListening(Exception):
    """Raised when a process ends or does not listen in time. `output` is its whole output."""

    def __init__(self, code: int | None, output: str) -> None:
        super().__init__(f"exit status {code}: {output}")
        self.code = code
        self.output = output


class Server:
    """A running `bundlesvc serve`. Raises NotListening.

    The address is read from the log unless `address` is given. It must be given if the log level is above INFO, because the
    address is then not logged.
    """

    def __init__(self, process: subprocess.Popen[str], address: str | None = None) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self.process = process
        self.started = time.monotonic()
        self.out = Output(process.stdout)
        self.err = Output(process.stderr)
        self.address = address or self._logged_address()
        self.startup_seconds = time.monotonic() - self.started
        self.port = int(self.address.rsplit(":", 1)[1])

    def _logged_address(self) -> str:
        found = self.out.wait_for(_LISTENING)
        if found is None:
            raise NotListening(self._code_if_ended(), self.out.text + self.err.text)
        return found[1]

    def _code_if_ended(self) -> int | None:
        try:
            code = self.process.wait(5)  # its output has ended, or the timeout has expired
        except subprocess.TimeoutExpired:
            return None
        self.err.end()
        return code

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)

    def get(self, path: str, key: str | None = None, headers: Mapping[str, str] = {}) -> HttpResponse:
        return self.request("GET", path, key, None, headers)

    def post(self, path: str, key: str, body: object, headers: Mapping[str, str] = {}) -> HttpResponse:
        return self.request("POST", path, key, body if isinstance(body, bytes) else orjson.dumps(body), headers)

    def request(
        self, method: str, path: str, key: str | None, body: bytes | None, headers: Mapping[str, str]
    ) -> HttpResponse:
        connection = self.connect()
        try:
            own = {} if key is None else {"Authorization": f"Bearer {key}"}
            connection.request(method, path, body, {**own, **headers})
            response = connection.getresponse()
            return HttpResponse(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()

    def workers(self) -> list[int]:
        """Return the ids of the worker processes."""
        return child_processes(self.process.pid)

    def memory_megabytes(self) -> float:
        """Return the resident memory of the process in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        """Wait until the process has ended, and return its exit status."""
        return self.process.wait(TIMEOUT)

    def stop(self) -> int:
        self.send(signal.SIGTERM)
        return self.wait()


@contextmanager
def started(
    folder: Path,
    *arguments: str,
    settings: Mapping[str, str | None] = {},
    program: Sequence[str] = COMMAND,
) -> Iterator[subprocess.Popen[str]]:
    """Start a command that runs until it is stopped, and kill it afterwards if it is still running."""
    process = subprocess.Popen(
        [*program, *arguments],
        cwd=folder,
        env=environment(folder, settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(TIMEOUT)


@contextmanager
def serving(
    folder: Path,
    *arguments: str,
    settings: Mapping[str, str | None] = {},
    program: Sequence[str] = COMMAND,
) -> Iterator[Server]:
    """Start a server on a free port, and kill it afterwards if it is still running."""
    with started(folder, "serve", "--port", "0", *arguments, settings=settings, program=program) as process:
        yield Server(process)


def selection(bundle_type: str, *items: tuple[int, int, int], **others: Any) -> dict[str, Any]:
    """Build the body of a configure call. Each item is a tuple of variant, product and section."""
    products = [{"variant": str(v), "product": str(p), "section": s} for v, p, s in items]
    return {"type": bundle_type, "products": products, **others}
