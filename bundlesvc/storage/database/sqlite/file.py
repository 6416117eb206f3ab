"""A SQLite database: connections, settings, reads and writes."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.util import greenlet_spawn

from bundlesvc.domain.errors import StorageBusy, StorageFull, StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.health.storage_health import StorageHealth
from bundlesvc.storage.database.scheduling.connection_queue import ConnectionQueue, QueueTimeout
from bundlesvc.storage.database.scheduling.shielded import Shielded
from bundlesvc.storage.database.sqlite import failures
from bundlesvc.storage.database.sqlite.connections import empty_log, reading_engine, writing_engine
from bundlesvc.storage.database.sqlite.writer import Writer
from bundlesvc.storage.database.transaction import Insertion, Read, Work, write_something
from bundlesvc.tracing.spans import span

T = TypeVar("T")

READERS = 3
QUEUE_SECONDS = 10.0
"""Seconds for which a read waits for a connection."""


class SqliteDatabase:
    """A `Database` in a file. Reads use a few separate connections and never wait for a writer (WAL); writes go through a single
    `Writer`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._path = Path(path).absolute()
        self._reading, self._writing = reading_engine(path, READERS), self._writing_engine()
        self._queue = ConnectionQueue(READERS)
        self._reads = Shielded()
        self.health = StorageHealth(self._free_bytes)
        self._writer = Writer(self._writing, self._failure_of, self.health)

    def _writing_engine(self) -> Engine:
        engine = writing_engine(self.path)
        event.listen(engine, "connect", self._remember_file)
        event.listen(engine, "begin", self._check_file, insert=True)
        return engine

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run a query and return its result. The query is not interrupted when the caller is cancelled, because the connection's
        thread might otherwise return the result after the event loop has closed."""
        return await self._reads.run(self._query(query), name="read")

    async def _query(self, query: Callable[[Connection], T]) -> T:
        try:
            with self._failures_named():
                async with self._queue.one(QUEUE_SECONDS):
                    return await greenlet_spawn(self._read, query)
        except QueueTimeout as error:
            raise (StorageBusy if error.served else self.health.failure or StorageUnavailable) from error

    @contextmanager
    def _failures_named(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, PoolTimeout, OSError) as error:
            failure = self._failure_of(error)
            if failures.breaks_file(error):
                self.health.failed(failure)
            raise failure from failure.__cause__

    def _read(self, query: Callable[[Connection], T]) -> T:
        with self._reading.connect() as connection:
            return query(connection)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Read]:
        with self._failures_named():
            connection = await greenlet_spawn(self._begin_reading)

        async def read(query: Callable[[Connection], T]) -> T:
            with self._failures_named():
                return await self._reads.run(greenlet_spawn(query, connection), name="read")

        try:
            yield read
        finally:
            await self._reads.finish()
            await greenlet_spawn(connection.close)

    def _begin_reading(self) -> Connection:
        connection = self._reading.connect()
        connection.exec_driver_sql("BEGIN")
        return connection

    async def read_shop(self, tenant: Tenant, query: Callable[[Connection], T]) -> T:
        return await self.read(query)

    async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
        with span("commit", {"db.system.name": "sqlite"}):
            return await self._writer.write(work, insertion)

    async def try_writing(self) -> None:
        failure = await asyncio.to_thread(self._unwritable)
        if failure is not None:
            self.health.failed(failure)
            raise failure
        await self.write(write_something)
        self.health.recovered()

    def _unwritable(self) -> StorageUnavailable | None:
        """Return why the files cannot grow, or None when they can. If the disk is full, the reason may just be that a long read
        made the `-wal` file grow. The `-wal` file is therefore emptied, which needs little or no space, and the check is
        repeated."""
        failure = failures.unwritable(self._path.parent)
        if isinstance(failure, StorageFull) and empty_log(self._path):
            return failures.unwritable(self._path.parent)
        return failure

    async def overwrite_deleted(self) -> bool:
        return await asyncio.to_thread(empty_log, self._path)

    def _failure_of(self, error: BaseException) -> StorageUnavailable:
        return failures.failure_of(error, self._path.parent)

    def _remember_file(self, _connection: object, _record: object) -> None:
        self._file = _identity(self._path)

    def _check_file(self, _connection: object) -> None:
        """Check that the file has not been deleted or replaced: SQLite would go on writing to the old file, and the data would be
        lost. Raises FileMoved."""
        if _identity(self._path) != self._file:
            raise FileMoved(f"{self.path} was moved, deleted or replaced: restart the service")

    def _free_bytes(self) -> int | None:
        try:
            disk = os.statvfs(self._path.parent)
        except OSError:
            return None
        return disk.f_bavail * disk.f_frsize

    def start(self) -> None:
        """Do nothing: connections are opened when they are first needed."""

    async def close(self) -> None:
        await self._writer.close()
        await self._reads.finish()
        await greenlet_spawn(self._reading.dispose)


class FileMoved(Exception):
    """Raised when the database file was deleted, moved or replaced."""


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
