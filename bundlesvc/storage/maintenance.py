"""Maintenance of the whole database: backups and pruning."""

import asyncio
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, delete, func, select

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.configured import RESPONSE_SECONDS
from bundlesvc.storage.database import Database
from bundlesvc.storage.private_files import create
from bundlesvc.storage.tables import configured_bundles, idempotency_keys, subscriptions

PART = 500
"""Configured bundles in one transaction of pruning."""


async def backup(source: Path, target: Path) -> None:
    """Copy a SQLite file in use to a new file for this user alone; the copy is consistent. Raises StorageUnavailable,
    FileExistsError, and any other OSError."""
    try:
        await asyncio.to_thread(_copy, source, target)
    except sqlite3.Error as error:
        raise StorageUnavailable from error


def _copy(source: Path, target: Path) -> None:
    """Uses a connection of its own: it takes a while, cannot run in a transaction, and blocks no writer."""
    create(target)
    try:
        with closing(sqlite3.connect(source, isolation_level=None)) as connection:
            connection.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error:
        target.unlink()  # an incomplete copy is not a backup
        raise


async def prune(database: Database, now: int, older_than: int) -> dict[str, int]:
    """Delete expired stored responses, and configured bundles older than `older_than` seconds, except those with a
    subscription. Returns the number of each.

    Works in small transactions, and pauses after each for as long as it took, so that other writers wait for one of them
    only. (Deleting 300,000 configured bundles in one transaction took eleven seconds; a service gives up after five.)
    """
    expired = delete(idempotency_keys).where(idempotency_keys.c.created_at <= now - RESPONSE_SECONDS)
    responses = await database.write(lambda connection: connection.execute(expired).rowcount)
    old = configured_bundles.c.configured_at <= now - older_than
    first, last = await database.read(lambda connection: _numbers(connection, old))
    deleted = 0
    for start in range(first, last + 1, PART):
        begun = time.monotonic()
        part = old & configured_bundles.c.number.between(start, start + PART - 1)
        deleted += await database.write(partial(_delete_unneeded, part))
        await asyncio.sleep(time.monotonic() - begun)
    return {"stored responses": responses, "configured bundles": deleted}


def _numbers(connection: Connection, old: ColumnElement[bool]) -> tuple[int, int]:
    """The first and last number of the old configured bundles; (1, 0) when there are none."""
    number = configured_bundles.c.number
    first, last = connection.execute(select(func.min(number), func.max(number)).where(old)).one()
    return (1, 0) if first is None else (first, last)


def _delete_unneeded(part: ColumnElement[bool], connection: Connection) -> int:
    """Delete those with neither a subscription nor a stored response, and return their number."""
    made = configured_bundles.c
    unneeded = [made.id.not_in(select(table.c.configured_bundle_id)) for table in (subscriptions, idempotency_keys)]
    return connection.execute(delete(configured_bundles).where(part, *unneeded)).rowcount
