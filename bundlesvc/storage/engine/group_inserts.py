"""Group commit on PostgreSQL: the insertions that wait are made in one transaction.

Only insertions are grouped, because they wait for no other transaction, unless it uses the same idempotency key. Everything
else may wait for rows that are locked, and would make its group wait, too
(docs/decisions/0029-postgresql-in-production.md).
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection

from bundlesvc.storage.engine.grouping import Grouping
from bundlesvc.storage.engine.transaction import Insertion, Work, insert_rows

_WAIT_BRIEFLY = "SET LOCAL lock_timeout = '100ms'"
"""A group whose transaction meets a lock gives up: its insertions are then made alone, and only one of them has to wait."""


class GroupInserts:
    """Makes insertions together. `commit` runs the work of a number of insertions in a transaction; False when one of its
    statements fails. It raises StorageUnavailable."""

    def __init__(self, commit: Callable[[Work[None], int], Awaitable[bool]]) -> None:
        self._commit = commit
        self._groups = Grouping(self._insert, "group insert")

    async def insert(self, insertion: Insertion[Any]) -> bool:
        """Whether the insertion is on disk. If not, because one of its group failed, it must run as work. Raises
        StorageUnavailable."""
        return await self._groups.add(insertion)

    async def _insert(self, insertions: Sequence[Insertion[Any]]) -> Sequence[bool]:
        made = await self._commit(partial(_insert, insertions), len(insertions))
        return [made] * len(insertions)


def _insert(insertions: Sequence[Insertion[Any]], connection: Connection) -> None:
    connection.exec_driver_sql(_WAIT_BRIEFLY)
    insert_rows(connection, insertions)
