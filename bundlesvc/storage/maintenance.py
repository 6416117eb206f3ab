"""What an operator does with the database as a whole: backing it up, pruning what nobody needs any more."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, delete, select

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.configured import KEPT_SECONDS
from bundlesvc.storage.database import Database
from bundlesvc.storage.tables import configured_bundles, idempotency_keys, subscriptions


async def backup(source: Path, target: Path) -> None:
    """A consistent copy of a SQLite file in use, in a new file. Raises StorageUnavailable, and FileExistsError or another
    OSError when there can be no such file."""
    try:
        await asyncio.to_thread(_copy, source, target)
    except sqlite3.Error as error:
        raise StorageUnavailable from error


def _copy(source: Path, target: Path) -> None:
    """On a connection of its own: it takes a while, may not stand inside a transaction, and holds up no writer."""
    target.open("xb").close()
    try:
        with closing(sqlite3.connect(source, isolation_level=None)) as connection:
            connection.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error:
        target.unlink()  # a half-written copy is no backup
        raise


async def prune(database: Database, now: int, older_than: int) -> dict[str, int]:
    """Delete kept answers that have expired, and configured bundles older than so many seconds, except those with a
    subscription; how many of each."""

    def work(connection: Connection) -> dict[str, int]:
        old_key = idempotency_keys.c.created_at <= now - KEPT_SECONDS
        answers = connection.execute(delete(idempotency_keys).where(old_key)).rowcount
        kept = select(idempotency_keys.c.configured_bundle_id).union(select(subscriptions.c.configured_bundle_id))
        old = configured_bundles.c.configured_at <= now - older_than
        configured = connection.execute(
            delete(configured_bundles).where(old, configured_bundles.c.id.not_in(kept))
        ).rowcount
        return {"kept answers": answers, "configured bundles": configured}

    return await database.write(work)
