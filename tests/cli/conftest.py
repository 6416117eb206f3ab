"""Fixtures: the command line with its own database."""

import asyncio
import io
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from bundlesvc.cli.main import run_command
from bundlesvc.domain.configured import ConfiguredBundle
from bundlesvc.domain.idempotency import IdempotencyKey
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from tests.cli.command_line import Result, Run
from tests.cli.live_shop import SECRETS, SHOP_FILE, in_thread, platform_shop
from tests.conftest import SECRET_KEY
from tests.process.shop import BOX_VARIANT
from tests.settings.test_environment import VARIABLES
from tests.standin.fixtures import quick_retries
from tests.standin.server import Standin
from tests.storage.configured_bundles import render_response
from tests.storage.prepared import make_database

__all__ = ["quick_retries"]

T = TypeVar("T")

Record = Callable[..., None]
Connect = Callable[..., Result]


@pytest.fixture
def database_path(tmp_path: Path) -> Path:
    """The path of the database. Neither the file nor its folder exists yet."""
    return tmp_path / "var" / "shop.db"


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    database_path: Path,
    own_logs: None,
) -> Run:
    """A function that runs `bundlesvc` with the given arguments in this process, as its console script does."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{database_path}")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.modules["__main__"], "__package__", None)  # otherwise click would use the name of pytest
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        threading, "excepthook", threading.__excepthook__
    )  # the exception is printed, as in a separate process

    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["bundlesvc", *map(str, arguments)])
        capsys.readouterr()
        code: object = 0
        try:
            run_command()
        except SystemExit as ended:
            code = ended.code or 0
        except Exception:  # noqa: BLE001 - Python itself would print it, and exit with 1
            traceback.print_exc()
            code = 1
        output = capsys.readouterr()
        assert isinstance(code, int)
        return Result(code, output.out, output.err)

    return run


@pytest.fixture
def loaded(run: Run, database_path: Path) -> Run:
    """The `run` fixture, with the test shop stored in the database."""
    make_database(database_path, loaded=True)
    return run


@pytest.fixture
def record(database_path: Path) -> Record:
    """A function that stores a configured bundle of the loaded shop, as a server does."""

    def record(configured: ConfiguredBundle, key: IdempotencyKey | None = None) -> None:
        async def use(database: Database) -> None:
            tenant = await SqlKeyStore(database).tenant("demo")
            assert tenant is not None
            await SqlConfiguredStore(database).record(tenant, configured, BOX_VARIANT, key, render_response)

        in_database(database_path, use)

    return record


@pytest.fixture
def standin() -> Iterator[Standin]:
    """A stand-in for the live platform of the shop "live", with every product of the shop's bundle."""
    with in_thread(Standin(platform_shop())) as standin:
        yield standin


@pytest.fixture
def live(run: Run, standin: Standin, quick_retries: None, database_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line with the shop "live" loaded but not connected yet."""
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
    monkeypatch.setenv("BUNDLESVC_PLATFORM_ENDPOINT", standin.url)
    make_database(database_path, shop_file=SHOP_FILE)
    return run


@pytest.fixture
def connect(live: Run, monkeypatch: pytest.MonkeyPatch) -> Connect:
    """A function that runs `bundlesvc platform connect`, for the shop "live" by default, with the given bytes on standard
    input."""

    def connect(*options: str, secrets: bytes = SECRETS, shop: str = "live") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(secrets)))
        return live("platform", "connect", "--shop", shop, *options)

    return connect


@pytest.fixture(scope="session")
def connected_database() -> list[bytes]:
    """A cache for the contents of the database with the connected shop. It is empty until a test creates that database."""
    return []


@pytest.fixture
def connected(live: Run, connect: Connect, database_path: Path, connected_database: list[bytes]) -> Run:
    """The command line, with the shop "live" loaded and connected."""
    if connected_database:
        database_path.write_bytes(connected_database[0])
    else:
        assert connect("--no-check").code == 0
        connected_database.append(database_path.read_bytes())
    return live


def in_database(path: Path, use: Callable[[Database], Awaitable[T]]) -> T:
    async def open_and_use() -> T:
        async with open_database(str(path)) as database:
            return await use(database)

    return asyncio.run(open_and_use())
