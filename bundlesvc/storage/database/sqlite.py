"""A SQLite database: connections, settings, reads and writes."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.util import greenlet_spawn

from bundlesvc.domain.errors import StorageBusy, StorageFull, StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database import failures
from bundlesvc.storage.database.connection_queue import ConnectionQueue, QueueTimeout
from bundlesvc.storage.database.health import StorageHealth
from bundlesvc.storage.database.shielded import Shielded
from bundlesvc.storage.database.transaction import Insertion, Read, Work, write_something
from bundlesvc.storage.database.writer import Writer
from bundlesvc.tracing.spans import span

T = TypeVar("T")

BUSY_TIMEOUT_MS = 5000
"""Milliseconds that a statement waits for the transaction of another process."""

READERS = 3
QUEUE_SECONDS = 10.0
"""Seconds that a read waits for a connection."""

CHECKPOINT_PAGES = 4000
"""Pages in the `-wal` file before they are copied to the database. Configured bundles have random ids, so that nearly every
one changes another index page; with SQLite's low default, each page would be copied for a single id."""


class SqliteDatabase:
    """A `Database` in a file. Reads use a few connections of their own and never wait for a writer (WAL); writes go through
    one `Writer`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._path = Path(path).absolute()
        self._reading, self._writing = self._reading_engine(), self._writing_engine()
        self._driver: Any = self._reading.dialect.dbapi
        self._queue = ConnectionQueue(READERS)
        self._reads = Shielded()
        self.health = StorageHealth(self._free_bytes)
        self._writer = Writer(self._writing, self._failure_of, self.health)

    def _reading_engine(self) -> Engine:
        """The engine for reads. SQLAlchemy's asyncio extension would make the same, but slows the start by importing the
        ORM."""
        uri = f"{self._path.as_uri()}?mode=rw"  # a reader creates no file
        engine = create_engine(
            URL.create("sqlite+aiosqlite", database=self.path),
            creator=lambda: self._driver.connect(async_creator_fn=lambda: _open_reader(uri)),
            pool_size=READERS,
            pool_reset_on_return=None,
            hide_parameters=True,
        )
        event.listen(engine, "connect", _set_up_reader)
        return engine

    def _writing_engine(self) -> Engine:
        engine = writing_engine(self.path)
        event.listen(engine, "connect", self._remember_file)
        event.listen(engine, "begin", self._check_file, insert=True)
        return engine

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run a query. It is not interrupted when the caller is cancelled, because the thread of its connection might then
        return the result after the event loop is closed."""
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
            if failures.breaks_sqlite(error):
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
        """Why the files cannot grow; None when they can. The disk may be full only because a long read made the `-wal` file
        grow, so that file is emptied first, which needs little or no room."""
        failure = failures.unwritable(self._path.parent)
        if isinstance(failure, StorageFull) and _empty_log(self._path):
            return failures.unwritable(self._path.parent)
        return failure

    async def overwrite_deleted(self) -> bool:
        return await asyncio.to_thread(_empty_log, self._path)

    def _failure_of(self, error: BaseException) -> StorageUnavailable:
        return failures.of_sqlite(error, self._path.parent)

    def _remember_file(self, _connection: object, _record: object) -> None:
        self._file = _identity(self._path)

    def _check_file(self, _connection: object) -> None:
        """Raise FileMoved if the file was deleted or replaced: SQLite would go on writing to the old one, and the data would
        be lost."""
        if _identity(self._path) != self._file:
            raise FileMoved(f"{self.path} was moved, deleted or replaced: restart the service")

    def _free_bytes(self) -> int | None:
        try:
            disk = os.statvfs(self._path.parent)
        except OSError:
            return None
        return disk.f_bavail * disk.f_frsize

    def start(self) -> None:
        """Nothing to do: connections are opened when they are first needed."""

    async def close(self) -> None:
        await self._writer.close()
        await self._reads.finish()
        await greenlet_spawn(self._reading.dispose)


def _empty_log(path: Path) -> bool:
    """Copy the `-wal` file into the database and empty it. Deleted rows are then overwritten in the database (`secure_delete`)
    and gone from the `-wal` file. Returns False when a reader or a disk failure prevents that."""
    try:
        with closing(sqlite3.connect(path, BUSY_TIMEOUT_MS / 1000, isolation_level=None)) as connection:
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error:
        return False
    return not busy


def writing_engine(path: str) -> Engine:
    """An engine with a single connection, whose transactions all lock the database for writing.

    The driver sends no BEGIN itself (`isolation_level`). Otherwise RELEASE of a SAVEPOINT commits by itself, and rolling back
    the transaction around it undoes nothing.
    """
    engine = create_engine(
        URL.create("sqlite", database=path),
        connect_args={"isolation_level": None, "check_same_thread": False},
        pool_size=1,
        max_overflow=0,
        hide_parameters=True,  # no traceback in the log has them
    )
    event.listen(engine, "connect", _set_up_writer)
    event.listen(engine, "begin", _begin_immediate)
    return engine


class FileMoved(Exception):
    """The database file was deleted, moved or replaced."""


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


async def _open_reader(uri: str) -> aiosqlite.Connection:
    """Open a connection for reading. It is first tried without aiosqlite: the thread of a failed connection would outlive the
    event loop, and print errors."""
    sqlite3.connect(uri, uri=True).close()
    return await aiosqlite.connect(uri, uri=True, isolation_level=None)


def _set_up_writer(connection: Any, _record: object) -> None:
    checkpoint = f"wal_autocheckpoint = {CHECKPOINT_PAGES}"
    durable = "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", checkpoint
    # Deleted data is overwritten, because it may be personal. Data for undoing a SAVEPOINT stays in memory: a large group
    # would otherwise make SQLite write a temporary file.
    _pragmas(connection, *durable, "secure_delete = ON", "temp_store = MEMORY")


def _set_up_reader(connection: Any, _record: object) -> None:
    _pragmas(connection, "query_only = ON")


def _pragmas(connection: Any, *pragmas: str) -> None:
    cursor = connection.cursor()
    for pragma in (f"busy_timeout = {BUSY_TIMEOUT_MS}", *pragmas):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
