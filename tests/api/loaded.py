"""Databases loaded with two shops and their keys, created once and copied by the tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.migrations.schema import upgrade
from bundlesvc.system import RandomIds
from tests.fakes import FakeClock

SHOP = Path(__file__).with_name("shop.yaml")
OTHER_SHOP = Path(__file__).with_name("other_shop.yaml")
RATE_LIMIT = 1_000_000


@dataclass(frozen=True)
class Keys:
    """A live and a test key of the demo shop, and a live key of the other shop."""

    live: str
    test: str
    other: str


@dataclass(frozen=True)
class LoadedDatabase:
    """The location of a loaded database (a SQLite file or the name of a PostgreSQL database), and the API keys stored in it."""

    location: str
    keys: Keys


def loaded_file(folders: pytest.TempPathFactory, shop: Path = SHOP) -> LoadedDatabase:
    """Create a SQLite database file, and load `shop`, whose handle must be "demo", and the other test shop into it."""
    path = str(folders.mktemp("loaded") / "loaded.db")
    return LoadedDatabase(path, fill(path, shop))


def fill(address: str, shop: Path = SHOP) -> Keys:
    """Create the tables of a database, load `shop` and another test shop into it, and create keys."""
    with ThreadPoolExecutor(1) as thread:  # its event loop must be separate from that of the tests
        return thread.submit(asyncio.run, _fill(address, shop)).result()


async def _fill(address: str, shop: Path) -> Keys:
    async with open_database(address) as database:
        await database.write(upgrade)
        for path in (shop, OTHER_SHOP):
            await SqlShopFileStore(database).replace(read_shop_file(path))
        return Keys(
            await _make_key(database, "demo"),
            await _make_key(database, "demo", test=True),
            await _make_key(database, "other"),
        )


async def _make_key(database: Database, handle: str, *, test: bool = False) -> str:
    store = SqlKeyStore(database)
    tenant = await store.tenant(handle)
    assert tenant is not None
    request = KeyRequest("shared", test=test, rate_limit=RATE_LIMIT)
    return await create_key(store, tenant, request, FakeClock(), RandomIds())
