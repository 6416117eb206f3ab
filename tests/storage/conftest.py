"""A loaded shop, its stores, and databases that lose patience soon."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bundlesvc.domain.shop import Tenant
from bundlesvc.settings import Settings
from bundlesvc.storage import database as database_module
from bundlesvc.storage.catalogue import EmbeddedPlatform
from bundlesvc.storage.configured import SqlConfiguredStore
from bundlesvc.storage.database import Database, open_database
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.storage.revision_cache import RevisionCache
from bundlesvc.storage.shop_files import SqlShopFileStore
from tests.storage.prepared import make_database, the_shop

IMPATIENT_MS = 50


@pytest.fixture
def made(settings: Settings) -> None:
    """The file of an empty database."""
    make_database(Path(settings.database))


@pytest.fixture
async def database(settings: Settings, made: None) -> AsyncIterator[Database]:
    """An empty database with tables of the newest version."""
    async with open_database(settings.database) as database:
        yield database


@pytest.fixture
async def tenant(database: Database) -> Tenant:
    """The test shop, just loaded."""
    await SqlShopFileStore(database).replace(the_shop())
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
async def impatient(settings: Settings, made: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Database]:
    """A database whose statements wait for a lock a twentieth of a second instead of five."""
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT_MS", IMPATIENT_MS)
    async with open_database(settings.database) as database:
        yield database
