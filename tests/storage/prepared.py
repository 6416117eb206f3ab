"""Databases that are prepared once for many tests, with empty tables or with the test shop."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.migrations.schema import upgrade
from tests.process.shop import SHOP
from tests.servers.postgres_server import PostgresServer


def make_database(path: Path, *, loaded: bool = False, shop_file: str | None = None) -> None:
    """Create a database with tables of the newest version: empty, loaded with the test shop, or loaded with the content of a shop
    file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_made(SHOP.read_text("utf-8") if loaded else shop_file))


def make_postgresql(server: PostgresServer, *, loaded: bool = False) -> str:
    """Create a database on a server, with the tables of the newest schema version, either empty or with the test shop. Returns
    its name."""
    return server.new_database(_template(server, loaded=loaded))


@cache
def the_shop() -> ShopFile:
    return read_shop_file(SHOP)


@cache
def _made(shop_file: str | None) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.db"
        shop = None if shop_file is None else _parsed(shop_file, Path(folder) / "shop.yaml")
        _run(_make(str(path), shop))
        return path.read_bytes()


def _parsed(shop_file: str, path: Path) -> ShopFile:
    path.write_text(shop_file, "utf-8")
    return read_shop_file(path)


@cache
def _template(server: PostgresServer, *, loaded: bool) -> str:
    name = server.new_database()
    _run(_make(server.url(name), the_shop() if loaded else None))
    return name


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run work in a thread with its own event loop, because the first fixture that needs the result may be asynchronous."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


async def _make(address: str, shop: ShopFile | None) -> None:
    async with open_database(address) as database:
        await database.write(upgrade)
        if shop is not None:
            await SqlShopFileStore(database).replace(shop)
