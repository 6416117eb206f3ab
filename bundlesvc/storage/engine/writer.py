"""The only writer of a SQLite database. It runs all waiting work in one transaction, which is on disk before any caller
continues.

Group commit: each piece of work has a SAVEPOINT of its own, so that a failure affects no other work, and all share the cost of
one commit. Insertions come first; they share a SAVEPOINT and their statements, too. If one fails, all run as work. When the
disk is full, each piece of work is tried in a transaction of its own: the others may fit. The transaction runs in a thread of
its own, because each statement would cost far more through the event loop (docs/decisions/0003-one-writer.md).
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from bundlesvc.domain.errors import StorageFull, StorageUnavailable
from bundlesvc.storage.engine import failures
from bundlesvc.storage.engine.health import StorageHealth
from bundlesvc.storage.engine.transaction import Conflict, Insertion, Work, insert_rows

T = TypeVar("T")

MAX_GROUP = 128
"""The most pieces of work in one transaction. Without a limit, the first callers of a large group would wait for all the
others."""


@dataclass(slots=True)
class _Waiting:
    work: Work[Any]
    insertion: Callable[[], Insertion[Any]] | None
    done: asyncio.Future[Any]
    result: Any = None
    failure: Exception | None = None

    def settle(self) -> None:
        if self.done.cancelled():
            return
        if self.failure is not None:
            self.done.set_exception(self.failure)
        else:
            self.done.set_result(self.result)


class Writer:
    """Writes through one connection of `engine`. `start()` it, and `close()` it, which still writes what is waiting.

    `failure_of` finds the cause of an error of the file, which is then reported to `health`.
    """

    def __init__(
        self, engine: Engine, failure_of: Callable[[BaseException], StorageUnavailable], health: StorageHealth
    ) -> None:
        self._engine = engine
        self._failure_of = failure_of
        self._health = health
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._waiting: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="writer")

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        self._thread.shutdown()
        self._engine.dispose()

    async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
        """The result of `work`, once it is on disk. Cancelling the caller does not undo it.

        Raises StorageUnavailable, Conflict, and what `work` raises: then nothing of it is stored.
        """
        if self._closing:
            raise StorageUnavailable
        waiting = _Waiting(work, insertion, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._wake.set()
        result: T = await waiting.done
        return result

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting or not self._closing:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
                continue
            group = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_GROUP))]
            failure, begun = await loop.run_in_executor(self._thread, self._write_group, group)
            if failure is not None:
                self._health.failed(failure)
                if not begun:  # those who came meanwhile would wait just as long for the same failure
                    behind = list(self._waiting)
                    self._waiting.clear()
                    _fail(behind, failure)
                    group += behind
            else:
                self._health.wrote()
            for waiting in group:
                waiting.settle()

    def _write_group(self, group: list[_Waiting]) -> tuple[StorageUnavailable | None, bool]:
        """Run a group in a transaction. Returns the failure of the database, if any, and whether the transaction could
        begin."""
        failure, begun = self._commit(group)
        if not begun or not isinstance(failure, StorageFull):
            return failure, begun
        alone = [self._commit([waiting])[0] for waiting in group] if len(group) > 1 else [failure]
        return next(filter(None, alone), None), begun

    def _commit(self, group: list[_Waiting]) -> tuple[StorageUnavailable | None, bool]:
        begun, began_at = False, time.perf_counter()
        try:
            with self._engine.begin() as connection:
                begun = True
                for waiting in _insert_together(connection, group):
                    waiting.result, waiting.failure = _attempt(connection, waiting.work)
        except Exception as error:  # noqa: BLE001 - nobody may be left waiting, whatever went wrong
            failure = self._failure_of(error)
            _fail(group, failure)
            return failure, begun
        self._health.commits.committed(len(group), time.perf_counter() - began_at)
        return None, begun


def _fail(group: list[_Waiting], failure: StorageUnavailable) -> None:
    for waiting in group:
        waiting.failure = type(failure)()
        waiting.failure.__cause__ = failure.__cause__


def _insert_together(connection: Connection, group: list[_Waiting]) -> list[_Waiting]:
    """Make the insertions of a group. Returns the work that remains, which is all of it when an insertion fails."""
    inserting = [waiting for waiting in group if waiting.insertion is not None]
    if not inserting:
        return group
    results, failure = _attempt(connection, partial(_insert, inserting))
    if results is None or failure is not None:
        return group
    for waiting, result in zip(inserting, results, strict=True):
        waiting.result, waiting.failure = result, None
    return [waiting for waiting in group if waiting.insertion is None]


def _insert(inserting: Sequence[_Waiting], connection: Connection) -> list[Any]:
    insertions = [waiting.insertion() for waiting in inserting if waiting.insertion is not None]
    insert_rows(connection, insertions)
    return [insertion.result for insertion in insertions]


def _attempt(connection: Connection, work: Work[T]) -> tuple[T | None, Exception | None]:
    """Run a piece of work in the group's transaction, and return its result or failure. An error of the file fails the whole
    group, an error of a statement only this work.

    The SAVEPOINT statements go to the driver directly: SQLAlchemy's nested transaction costs more than the work in it.
    """
    cursor = connection.connection.cursor()
    cursor.execute("SAVEPOINT work")
    result: T | None = None
    failure: Exception | None = None
    try:
        result = work(connection)
    except DBAPIError as error:
        if failures.breaks_sqlite(error):
            raise
        failure = Conflict() if isinstance(error, IntegrityError) else StorageUnavailable()
        failure.__cause__ = error
    except Exception as error:  # noqa: BLE001 - an error of the work belongs to its caller
        failure = error
    if failure is not None:
        cursor.execute("ROLLBACK TO SAVEPOINT work")
    cursor.execute("RELEASE SAVEPOINT work")
    cursor.close()
    return result, failure
