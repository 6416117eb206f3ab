"""The only writer of a SQLite database. Runs all waiting work in one transaction, which is on disk before any caller continues.

Group commit: each piece of work has its own SAVEPOINT, so that a failure does not affect other work, and all pieces share the
cost of one commit. Insertions run first, and share a SAVEPOINT and their statements. If one insertion fails, all of them are run
as ordinary work. When the disk is full, each piece of work is tried in its own transaction, because some may still fit. The
transaction runs in a separate thread, because running each statement through the event loop would cost far more
(docs/decisions/0003-one-writer.md).
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from bundlesvc.domain.errors import StorageFull, StorageUnavailable
from bundlesvc.storage.database.health.storage_health import StorageHealth
from bundlesvc.storage.database.scheduling.grouping import Failed, Grouping
from bundlesvc.storage.database.sqlite import failures
from bundlesvc.storage.database.transaction import Conflict, Insertion, Work, insert_rows

T = TypeVar("T")


@dataclass(slots=True)
class _Write:
    """A piece of work, the equivalent insertion if there is one, and the result."""

    work: Work[Any]
    insertion: Callable[[], Insertion[Any]] | None
    result: Any | Failed = None


class Writer:
    """Writes through one connection of `engine` until `close()`, which first completes the waiting writes.

    `failure_of` determines the cause of a file error, which is then reported to `health`.
    """

    def __init__(
        self, engine: Engine, failure_of: Callable[[BaseException], StorageUnavailable], health: StorageHealth
    ) -> None:
        self._engine = engine
        self._failure_of = failure_of
        self._health = health
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._groups: Grouping[_Write, Any] = Grouping(self._run, "writer", is_hopeless=lambda _: True)
        self._closing = False

    async def close(self) -> None:
        self._closing = True
        await self._groups.finish()
        self._thread.shutdown()
        self._engine.dispose()

    async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
        """Run `work` and return its result once it is on disk. Cancelling the caller does not undo the work.

        Raises StorageUnavailable, Conflict, or any error raised by `work`; in each case nothing is stored.
        """
        if self._closing:
            raise StorageUnavailable
        result: T = await self._groups.add(_Write(work, insertion))
        return result

    async def _run(self, group: Sequence[_Write]) -> Sequence[Any | Failed]:
        """Run a group of writes, and return their results. Raises StorageUnavailable when the transaction of the group could not
        begin."""
        loop = asyncio.get_running_loop()
        failure, begun = await loop.run_in_executor(self._thread, self._write_group, group)
        if failure is None:
            self._health.wrote()
        else:
            self._health.failed(failure)
            if not begun:
                raise failure
        return [write.result for write in group]

    def _write_group(self, group: Sequence[_Write]) -> tuple[StorageUnavailable | None, bool]:
        """Run a group in one transaction. Returns the failure of the database, if any, and whether the transaction could
        begin."""
        failure, begun = self._commit(group)
        if not begun or not isinstance(failure, StorageFull):
            return failure, begun
        alone = [self._commit([write])[0] for write in group] if len(group) > 1 else [failure]
        return next(filter(None, alone), None), begun

    def _commit(self, group: Sequence[_Write]) -> tuple[StorageUnavailable | None, bool]:
        begun, began_at = False, time.perf_counter()
        try:
            with self._engine.begin() as connection:
                begun = True
                for write in _insert_together(connection, group):
                    write.result = _attempt(connection, write.work)
        except Exception as error:  # noqa: BLE001 - nobody may be left waiting, whatever went wrong
            failure = self._failure_of(error)
            for write in group:
                write.result = Failed(failure)
            return failure, begun
        self._health.commits.committed(len(group), time.perf_counter() - began_at)
        return None, begun


def _insert_together(connection: Connection, group: Sequence[_Write]) -> Sequence[_Write]:
    """Run the insertions in a group of writes together. Returns the writes that are left to run: those without an insertion, or
    all writes of the group when an insertion fails."""
    inserting = [write for write in group if write.insertion is not None]
    if not inserting:
        return group
    results = _attempt(connection, partial(_insert, inserting))
    if isinstance(results, Failed):
        return group
    for write, result in zip(inserting, results, strict=True):
        write.result = result
    return [write for write in group if write.insertion is None]


def _insert(inserting: Sequence[_Write], connection: Connection) -> list[Any]:
    insertions = [write.insertion() for write in inserting if write.insertion is not None]
    insert_rows(connection, insertions)
    return [insertion.result for insertion in insertions]


def _attempt(connection: Connection, work: Work[T]) -> T | Failed:
    """Run a piece of work in the group's transaction, and return its result or failure. An error in the database file fails the
    whole group; an error in a statement fails only this piece of work.

    The SAVEPOINT statements are sent to the driver directly, because SQLAlchemy's nested transaction would cost more than the
    work itself.
    """
    cursor = connection.connection.cursor()
    cursor.execute("SAVEPOINT work")
    try:
        result: T | Failed = work(connection)
    except DBAPIError as error:
        if failures.breaks_file(error):
            raise
        failure = Conflict() if isinstance(error, IntegrityError) else StorageUnavailable()
        failure.__cause__ = error
        result = Failed(failure)
    except Exception as error:  # noqa: BLE001 - an error raised by the work is passed on to its caller
        result = Failed(error)
    if isinstance(result, Failed):
        cursor.execute("ROLLBACK TO SAVEPOINT work")
    cursor.execute("RELEASE SAVEPOINT work")
    cursor.close()
    return result
