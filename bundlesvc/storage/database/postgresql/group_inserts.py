"""Group commit on PostgreSQL: runs all waiting insertions in one transaction.

Only insertions are grouped. An insertion waits for another transaction only if that transaction uses the same idempotency key.
Other work may wait for locked rows, and would make its whole group wait (docs/decisions/0029-postgresql-in-production.md).
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from bundlesvc.storage.database.scheduling.grouping import Grouping
from bundlesvc.storage.database.transaction import Insertion


class GroupInserts:
    """Runs insertions in groups. `commit` makes the insertions of a group in one transaction, and returns False when a statement
    fails. Raises StorageUnavailable."""

    def __init__(self, commit: Callable[[Sequence[Insertion[Any]]], Awaitable[bool]]) -> None:
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
        return [await self._commit(insertions)] * len(insertions)
