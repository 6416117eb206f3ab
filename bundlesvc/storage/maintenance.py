"""Maintenance of the whole database: backups and pruning."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import not_, or_, select

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.configured import RESPONSE_SECONDS
from bundlesvc.storage.database import Database
from bundlesvc.storage.deletion import delete_old
from bundlesvc.storage.private_files import create
from bundlesvc.storage.tables import configured_bundles, idempotency_keys, subscriptions


async def backup(source: Path, target: Path) -> None:
    """Copy a SQLite file in use to a new file for this user alone; the copy is consistent. Raises StorageUnavailable,
    FileExistsError, and any other OSError."""
    try:
        await asyncio.to_thread(_copy, source, target)
    except sqlite3.Error as error:
        raise StorageUnavailable from error


def _copy(source: Path, target: Path) -> None:
    """Uses its own connection: a backup takes a while, cannot run in a transaction, and blocks no writer."""
    create(target)
    try:
        with closing(sqlite3.connect(source, isolation_level=None)) as connection:
            connection.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error:
        target.unlink()  # an incomplete copy is not a backup
        raise


async def prune(database: Database, now: int, older_than: int) -> dict[str, int]:
    """Delete expired stored responses, and configured bundles older than `older_than` seconds, except those with a
    subscription or a stored response. Returns the number of each. Works in small transactions, so that no service gives up
    waiting to write.
    """
    made = configured_bundles.c
    needed = [made.id.in_(select(table.c.configured_bundle_id)) for table in (subscriptions, idempotency_keys)]
    return {
        "stored responses": await delete_old(database, idempotency_keys.c.created_at, now - RESPONSE_SECONDS),
        "configured bundles": await delete_old(database, made.configured_at, now - older_than, not_(or_(*needed))),
    }
