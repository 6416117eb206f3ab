"""The one writer of SQLite: writes everything that is waiting in one transaction, which is on disk before any caller
continues.

Group commit: each piece of work has a SAVEPOINT of its own, so that a failure affects no other work, and all share the cost
of one commit. When the disk is full, each piece of work is tried in a transaction of its own: the others may fit. The
transaction runs in a thread of its own: through the event loop each statement would cost six times as much
(docs/decisions/0003-one-writer.md has the figures).
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from bundlesvc.domain.errors import StorageFull, StorageUnavailable
from bundlesvc.storage import failures
from bundlesvc.storage.health import StorageHealth
from bundlesvc.storage.transaction import Conflict, Work

T = TypeVar("T")

MAX_GROUP = 128
"""Pieces of work in one transaction. The limit keeps a group from waiting long for those behind it."""


@dataclass(slots=True)
class _Waiting:
    work: Work[Any]
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

    `failure_of` names what is behind an error of the file; `health` hears of these.
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

    async def write(self, work: Work[T]) -> T:
        """The result of `work`, once it is on disk. Cancelling the caller does not undo it.

        Raises StorageUnavailable, Conflict, and what `work` raises: then nothing of it is stored.
        """
        if self._closing:
            raise StorageUnavailable
        waiting = _Waiting(work, asyncio.get_running_loop().create_future())
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
        """The failure of the database, if any, and whether the transaction could begin."""
        failure, begun = self._commit(group)
        if not begun or not isinstance(failure, StorageFull):
            return failure, begun
        alone = [self._commit([waiting])[0] for waiting in group] if len(group) > 1 else [failure]
        return next(filter(None, alone), None), begun

    def _commit(self, group: list[_Waiting]) -> tuple[StorageUnavailable | None, bool]:
        begun = False
        try:
            with self._engine.begin() as connection:
                begun = True
                for waiting in group:
                    waiting.failure = None
                    _write_one(connection, waiting)
        except Exception as error:  # noqa: BLE001 - nobody may be left waiting, whatever went wrong
            failure = self._failure_of(error)
            _fail(group, failure)
            return failure, begun
        return None, begun


def _fail(group: list[_Waiting], failure: StorageUnavailable) -> None:
    for waiting in group:
        waiting.failure = type(failure)()
        waiting.failure.__cause__ = failure.__cause__


def _write_one(connection: Connection, waiting: _Waiting) -> None:
    """Run one piece of work in the group's transaction. An error of the file fails the whole group, one of a statement the
    work alone.

    The SAVEPOINT statements go to the driver directly: SQLAlchemy's nested transaction costs more than the work in it.
    """
    cursor = connection.connection.cursor()
    cursor.execute("SAVEPOINT work")
    try:
        waiting.result = waiting.work(connection)
    except DBAPIError as error:
        if failures.breaks_sqlite(error):
            raise
        waiting.failure = Conflict() if isinstance(error, IntegrityError) else StorageUnavailable()
        waiting.failure.__cause__ = error
    except Exception as error:  # noqa: BLE001 - an error of the work belongs to its caller
        waiting.failure = error
    if waiting.failure is not None:
        cursor.execute("ROLLBACK TO SAVEPOINT work")
    cursor.execute("RELEASE SAVEPOINT work")
    cursor.close()
