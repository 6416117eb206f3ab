"""Generations of the rows of a shop file. A large load writes all rows as a new generation, in batches and in addition to the
rows in use, and then switches the shop to it. Other requests do not wait for the load, and never see a partial one
(docs/decisions/0032-loads-in-generations.md).
"""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, insert, select

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.deletion import FIRST_PART, delete_all, next_part
from bundlesvc.storage.database.tables import bundles, experiments, markets, products, shops, variants

FIRST_LOAD, DELETED = -1, -2
"""Generation numbers of a shop without rows in use: its first load has not finished and no list contains the shop yet, or the
shop is being deleted. The numbers of real generations are 0 or more."""

TABLES = (markets, products, variants, bundles, experiments)

ABANDONED_SECONDS = 24 * 60 * 60
"""Age in seconds above which the rows of an unused generation must be left over from an interrupted load."""

LONGEST_PAUSE = 0.1

_MICROSECONDS = 1_000_000


def of_shop(table: Table, shop_id: int) -> ColumnElement[bool]:
    """Return the SQL condition that selects the rows of a shop's current generation."""
    in_use = select(shops.c.generation).where(shops.c.id == shop_id).scalar_subquery()
    return (table.c.shop_id == shop_id) & (table.c.generation == in_use)


class ShopDeleted(Exception):
    """Raised when the shop was deleted while its file was being written; nothing from the file is stored."""


def is_loaded(generation: int) -> bool:
    """Whether a shop with this generation number has rows that are in use."""
    return generation >= 0


def new_generation() -> int:
    """Return the number for a new generation: microseconds since 1970."""
    return int(time.time() * _MICROSECONDS)


async def insert_in_parts(database: Database, shop_id: int, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows of a shop in batches. Each batch is a separate transaction, followed by a pause twice as long as the
    transaction took (up to `LONGEST_PAUSE`), so that other processes can write in between. Raises StorageUnavailable,
    ShopDeleted."""
    remaining, size = iter(rows), FIRST_PART
    while part := list(islice(remaining, size)):
        begun = time.monotonic()
        await database.write(partial(_insert, shop_id, table, part))
        took = time.monotonic() - begun
        size = next_part(size, took)
        await asyncio.sleep(min(2 * took, LONGEST_PAUSE))


async def delete_generation(database: Database, shop_id: int, generation: int) -> None:
    """Delete the rows of a generation in batches. Raises StorageUnavailable."""
    for table in TABLES:
        await delete_all(database, table, (table.c.shop_id == shop_id) & (table.c.generation == generation))


async def delete_abandoned(database: Database, handle: str) -> None:
    """Delete the rows that interrupted loads of a shop left behind. Raises StorageUnavailable."""
    while found := await database.read(partial(_abandoned, handle)):
        for shop_id, generation in found:
            await delete_generation(database, shop_id, generation)


async def unfinished_loads(database: Database) -> Sequence[str]:
    """Return the handles of shops whose first load has not finished. Raises StorageUnavailable."""
    query = select(shops.c.handle).where(shops.c.generation == FIRST_LOAD).order_by(shops.c.handle)
    return await database.read(lambda connection: connection.execute(query).scalars().all())


def _abandoned(handle: str, connection: Connection) -> set[tuple[int, int]]:
    """Find abandoned generations of a shop, as pairs of shop id and generation: at most one from each table."""
    until = new_generation() - ABANDONED_SECONDS * _MICROSECONDS
    shop = connection.execute(select(shops.c.id, shops.c.generation).where(shops.c.handle == handle)).first()
    if shop is None:
        return set()
    found = set()
    for table in TABLES:
        other = (table.c.shop_id == shop.id) & (table.c.generation != shop.generation) & (table.c.generation < until)
        oldest = connection.execute(select(table.c.generation).where(other).limit(1)).scalar()
        if oldest is not None:
            found.add((shop.id, oldest))
    return found


def lock_loaded(connection: Connection, shop_id: int, *, changes: bool) -> Any:
    """Lock a shop against deletion (with `changes`, also against changes) until the transaction ends, and return its
    generation and revision. Raises ShopDeleted."""
    query = select(shops.c.generation, shops.c.revision).where(shops.c.id == shop_id)
    row = connection.execute(query.with_for_update(read=not changes, key_share=True)).first()
    if row is None or row.generation == DELETED:
        raise ShopDeleted
    return row


def _insert(shop_id: int, table: Table, rows: Sequence[Mapping[str, Any]], connection: Connection) -> None:
    lock_loaded(connection, shop_id, changes=False)
    connection.execute(insert(table), rows)
