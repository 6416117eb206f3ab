"""Fixtures for a SQLite or PostgreSQL database with a loaded shop, for the stores that use this database, and for SQLite with a
short lock timeout."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.sqlite import connections
from tests.conftest import SECRET_KEY
from tests.servers.postgres_server import PostgresServer
from tests.storage.prepared import make_database, make_postgresql

IMPATIENT_MS = 5

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
_POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.process)
ON_POSTGRESQL = pytest.mark.parametrize("kind", [_POSTGRESQL], indirect=True)


@pytest.fixture(params=["sqlite", _POSTGRESQL])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of database. Every test here runs on both kinds, unless it is marked ON_SQLITE or ON_POSTGRESQL."""
    found: str = request.param
    return found


@pytest.fixture
def settings(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Settings for a database with the newest tables, all of them empty. If the test uses the `tenant` fixture, the test shop is
    loaded."""
    loaded = "tenant" in request.fixturenames
    if kind == "sqlite":
        make_database(tmp_path / "test.db", loaded=loaded)
        yield _settings(str(tmp_path / "test.db"))
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        with server.lent(make_postgresql(server, loaded=loaded)) as url:
            yield _settings(url)


@pytest.fixture
def bare(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Settings for a database without tables. The SQLite file does not exist yet."""
    if kind == "sqlite":
        yield _settings(str(tmp_path / "bare.db"))
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        with server.lent(server.new_database()) as url:
            yield _settings(url)


def _settings(address: str) -> Settings:
    return Settings(database=address, secret_keys=(SECRET_KEY,))


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    """The database that the settings specify."""
    async with open_database(settings.database) as database:
        yield database


@pytest.fixture
async def tenant(database: Database) -> Tenant:
    """The tenant for the test shop that is loaded in the database."""
    found = await SqlKeyStore(database).tenant("demo")
    assert found is not None
    return found


@pytest.fixture
def keys(database: Database) -> SqlKeyStore:
    return SqlKeyStore(database)


@pytest.fixture
def shop_files(database: Database) -> SqlShopFileStore:
    return SqlShopFileStore(database)


@pytest.fixture
def configured_store(database: Database) -> SqlConfiguredStore:
    return SqlConfiguredStore(database)


@pytest.fixture
def platform(database: Database) -> EmbeddedPlatform:
    return EmbeddedPlatform(database, RevisionCache())


@pytest.fixture
async def impatient(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Database]:
    """A SQLite database whose statements wait 5 ms for a lock instead of 5 s."""
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_MS", IMPATIENT_MS)
    async with open_database(settings.database) as database:
        yield database


@pytest.fixture(autouse=True)
def no_running_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the wait that lets running processes notice the deletion of a shop."""
    monkeypatch.setattr("bundlesvc.storage.catalogue.shop_deletion.NOTICE_SECONDS", 0)
