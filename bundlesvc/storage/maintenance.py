"""What an operator does with the database as a whole: backing it up, pruning what nobody needs any more."""

import asyncio
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, delete, func, select

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.configured import KEPT_SECONDS
from bundlesvc.storage.database import Database
from bundlesvc.storage.private_files import create
from bundlesvc.storage.tables import configured_bundles, idempotency_keys, subscriptions

PART = 500
"""So many configured bundles at most are pruned in one transaction."""


async def backup(source: Path, target: Path) -> None:
    """A consistent copy of a SQLite file in use, in a new file for this user alone. Raises StorageUnavailable, and
    FileExistsError or another OSError when there can be no such file."""
    try:
        await asyncio.to_thread(_copy, source, target)
    except sqlite3.Error as error:
        raise StorageUnavailable from error


def _copy(source: Path, target: Path) -> None:
    """On a connection of its own: it takes a while, may not stand inside a transaction, and holds up no writer."""
    create(target)
    try:
        with closing(sqlite3.connect(source, isolation_level=None)) as connection:
            connection.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error:
        target.unlink()  # a half-written copy is no backup
        raise


async def prune(database: Database, now: int, older_than: int) -> dict[str, int]:
    """Delete kept answers that have expired, and configured bundles older than so many seconds, except those with a
    subscription; how many of each.

    A part at a time, and resting for as long as each took: whoever writes meanwhile waits for a part, not for all. (In one
    transaction 300,000 configured bundles took eleven seconds; a service gives up after five.)
    """
    expired = delete(idempotency_keys).where(idempotency_keys.c.created_at <= now - KEPT_SECONDS)
    answers = await database.write(lambda connection: connection.execute(expired).rowcount)
    old = configured_bundles.c.configured_at <= now - older_than
    first, last = await database.read(lambda connection: _numbers(connection, old))
    deleted = 0
    for start in range(first, last + 1, PART):
        begun = time.monotonic()
        part = old & configured_bundles.c.number.between(start, start + PART - 1)
        deleted += await database.write(partial(_delete_unneeded, part))
        await asyncio.sleep(time.monotonic() - begun)
    return {"kept answers": answers, "configured bundles": deleted}


def _numbers(connection: Connection, old: ColumnElement[bool]) -> tuple[int, int]:
    """The first and last numbers of the configured bundles that are old; none is 1 to 0."""
    number = configured_bundles.c.number
    first, last = connection.execute(select(func.min(number), func.max(number)).where(old)).one()
    return (1, 0) if first is None else (first, last)


def _delete_unneeded(part: ColumnElement[bool], connection: Connection) -> int:
    """Delete those of a part that have neither a subscription nor a kept answer; how many."""
    made = configured_bundles.c
    unneeded = [made.id.not_in(select(table.c.configured_bundle_id)) for table in (subscriptions, idempotency_keys)]
    return connection.execute(delete(configured_bundles).where(part, *unneeded)).rowcount
