"""What many tests begin with, made once: a database with tables, the test shop as it is read."""

import asyncio
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.fixtures.loading import read_shop_file
from bundlesvc.storage.database import Database, open_database
from bundlesvc.storage.schema import upgrade
from bundlesvc.storage.shop_files import SqlShopFileStore
from tests.process.shop import SHOP


def make_database(path: Path, *, loaded: bool = False) -> None:
    """A database with tables of the newest version, with the test shop loaded or empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_made(loaded=loaded))


@cache
def the_shop() -> ShopFile:
    return read_shop_file(SHOP)


@cache
def _made(*, loaded: bool) -> bytes:
    async def make(path: Path) -> None:
        async with open_database(str(path)) as database:
            await database.write(upgrade)
            if loaded:
                await _load(database)

    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.db"
        asyncio.run(make(path))
        return path.read_bytes()


async def _load(database: Database) -> None:
    await SqlShopFileStore(database).replace(the_shop())
