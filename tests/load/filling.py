"""Fills a SQLite database with generated shops, keys and configured bundles."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.system import RandomIds, SystemClock
from tests.load.large_shop import generated_shop
from tests.load.measure import NO_LIMIT

PRODUCTS_OF_A_BUNDLE = 5
_AT_ONCE = 500


class Size(NamedTuple):
    """The number of generated shops, and the amount of data in each."""

    shops: int
    bundles: int
    products: int
    keys: int


def fill(path: Path, size: Size) -> list[tuple[str, int]]:
    """Generate shops, and load them into a database. Returns a key and a bundle id for each shop."""
    return asyncio.run(_fill(path, size))


def write_shop_files(folder: Path, size: Size) -> list[Path]:
    """Write a shop file for each generated shop."""
    folder.mkdir(exist_ok=True)
    files = [folder / f"shop-{number}.json" for number in range(size.shops)]
    for file in files:
        file.write_text(json.dumps(generated_shop(file.stem, size.products, list(choices(size)))))
    return files


def store_configured(path: Path, count: int) -> None:
    """Copy a stored configured bundle until the table contains `count` rows."""
    with sqlite3.connect(path) as database:
        names = [row[1] for row in database.execute("PRAGMA table_info(configured_bundles)") if row[1] != "number"]
        (stored,) = database.execute("SELECT count(*) FROM configured_bundles").fetchone()
        own = {"id": "abs(random()) % 9007199254740991 + 1", "unique_id": "lower(hex(randomblob(16)))"}
        values = ", ".join(own.get(name, name) for name in names)
        database.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count - stored}) "
            f"INSERT INTO configured_bundles ({', '.join(names)}) "
            f"SELECT {values} FROM n, (SELECT * FROM configured_bundles LIMIT 1)"
        )
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def _fill(path: Path, size: Size) -> list[tuple[str, int]]:
    made = []
    async with open_database(str(path)) as database:
        for number, file in enumerate(write_shop_files(path.with_suffix(".shops"), size)):
            await SqlShopFileStore(database).replace(read_shop_file(file))
            made.append((await _make_keys(database, file.stem, size.keys), number % size.bundles + 1))
    return made


def choices(size: Size) -> Iterator[list[int]]:
    for number in range(size.bundles):
        yield [(number * PRODUCTS_OF_A_BUNDLE + index) % size.products + 1 for index in range(PRODUCTS_OF_A_BUNDLE)]


async def _make_keys(database: Database, handle: str, count: int) -> str:
    """Create `count` API keys for a shop, and return one of them."""
    store = SqlKeyStore(database)
    tenant = await store.tenant(handle)
    if tenant is None:
        raise LookupError(handle)
    request, clock, ids = KeyRequest("bench", rate_limit=NO_LIMIT), SystemClock(), RandomIds()
    keys: list[str] = []
    while len(keys) < count:
        several = range(min(_AT_ONCE, count - len(keys)))
        keys += await asyncio.gather(*(create_key(store, tenant, request, clock, ids) for _ in several))
    return keys[0]
