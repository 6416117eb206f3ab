"""Made once, for many tests: databases with tables, and the test shop."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.database import open_database
from bundlesvc.storage.schema import upgrade
from bundlesvc.storage.shop_files import SqlShopFileStore
from tests.postgres_server import PostgresServer
from tests.process.shop import SHOP


def make_database(path: Path, *, loaded: bool = False) -> None:
    """A database with tables of the newest version, with the test shop loaded or empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_made(loaded=loaded))


def make_postgresql(server: PostgresServer, *, loaded: bool = False) -> str:
    """The name of such a database on a server."""
    return server.new_database(_template(server, loaded=loaded))


@cache
def the_shop() -> ShopFile:
    return read_shop_file(SHOP)


@cache
def _made(*, loaded: bool) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.db"
        _run(_make(str(path), loaded=loaded))
        return path.read_bytes()


@cache
def _template(server: PostgresServer, *, loaded: bool) -> str:
    name = server.new_database()
    _run(_make(server.url(name), loaded=loaded))
    return name


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run in a thread with an event loop of its own: an asynchronous fixture may be the first that needs the result."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


async def _make(address: str, *, loaded: bool) -> None:
    async with open_database(address) as database:
        await database.write(upgrade)
        if loaded:
            await SqlShopFileStore(database).replace(the_shop())
