"""Group commit on PostgreSQL: the insertions that wait are made in one transaction.

Only insertions are grouped, because they wait for no other transaction, unless it uses the same idempotency key. Everything
else may wait for rows that are locked, and would make its group wait, too
(docs/decisions/0029-postgresql-in-production.md).
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from bundlesvc.storage.transaction import Insertion, Work, insert_rows

MAX_GROUP = 128
"""Insertions in one transaction. The limit keeps a group from waiting long for those behind it."""

_WAIT_BRIEFLY = "SET LOCAL lock_timeout = '100ms'"
"""A group whose transaction meets a lock gives up: its insertions are then made alone, and only one of them has to wait."""


@dataclass(slots=True)
class _Waiting:
    insertion: Insertion[Any]
    made: asyncio.Future[bool]


class GroupInserts:
    """Makes insertions together. `commit` runs the work of a number of insertions in a transaction; False when one of its
    statements fails. It raises StorageUnavailable."""

    def __init__(self, commit: Callable[[Work[None], int], Awaitable[bool]]) -> None:
        self._commit = commit
        self._waiting: deque[_Waiting] = deque()
        self._task: asyncio.Task[None] | None = None

    async def insert(self, insertion: Insertion[Any]) -> bool:
        """Whether the insertion is on disk. If not, because one of its group failed, it must run as work. Raises
        StorageUnavailable."""
        waiting = _Waiting(insertion, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="group insert")
        return await waiting.made

    async def _run(self) -> None:
        while self._waiting:
            group = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_GROUP))]
            work = partial(_insert, [waiting.insertion for waiting in group])
            try:
                made = await self._commit(work, len(group))
            except Exception as error:  # noqa: BLE001 - nobody may be left waiting, whatever went wrong
                if not isinstance(error.__cause__, DBAPIError):  # no connection: those behind would wait as long for it
                    group += self._waiting
                    self._waiting.clear()
                for waiting in group:
                    waiting.made.set_exception(error)
            else:
                for waiting in group:
                    waiting.made.set_result(made)


def _insert(insertions: Sequence[Insertion[Any]], connection: Connection) -> None:
    connection.exec_driver_sql(_WAIT_BRIEFLY)
    insert_rows(connection, insertions)
