"""Group commit on PostgreSQL: runs all waiting insertions in one transaction.

Only insertions are grouped. An insertion waits for another transaction only if that transaction uses the same idempotency key.
Other work may wait for locked rows, and would make its whole group wait (docs/decisions/0029-postgresql-in-production.md).
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection

from bundlesvc.storage.database.scheduling.grouping import Grouping
from bundlesvc.storage.database.transaction import Insertion, Work, insert_rows

_WAIT_BRIEFLY = "SET LOCAL lock_timeout = '100ms'"
"""The lock timeout of a group. A group that meets a lock is abandoned, and its insertions are made one by one, so that only one
of them has to wait."""


class GroupInserts:
    """Runs insertions in groups. `commit` runs the work of several insertions in one transaction, and returns False when a
    statement fails. Raises StorageUnavailable."""

    def __init__(self, commit: Callable[[Work[None], int], Awaitable[bool]]) -> None:
        self._commit = commit
        self._groups = Grouping(self._insert, "group insert")

    async def insert(self, insertion: Insertion[Any]) -> bool:
        """Run an insertion in a group, even if the caller is cancelled. Returns True if it was committed. Returns False if any
        insertion in the group failed; the caller must then run it in a transaction of its own. Raises StorageUnavailable."""
        return await self._groups.add(insertion)

    async def finish(self) -> None:
        """Wait until all insertions have been committed or have failed."""
        await self._groups.finish()

    async def _insert(self, insertions: Sequence[Insertion[Any]]) -> Sequence[bool]:
        made = await self._commit(partial(_insert, insertions), len(insertions))
        return [made] * len(insertions)


def _insert(insertions: Sequence[Insertion[Any]], connection: Connection) -> None:
    connection.exec_driver_sql(_WAIT_BRIEFLY)
    insert_rows(connection, insertions)
