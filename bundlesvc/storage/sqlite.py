"""SQLite: its engines and settings, reading and writing."""

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import create_async_engine

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.transaction import Work
from bundlesvc.storage.uncancelled import Uncancelled
from bundlesvc.storage.writer import Writer

T = TypeVar("T")

BUSY_TIMEOUT_MS = 5000
"""Milliseconds that a statement waits for another process' transaction, such as a load."""

READERS = 3

CHECKPOINT_PAGES = 4000
"""Pages (of 4 kB) in the `-wal` file before they are copied to the database. Configured bundles have random ids: among a million
of them each is in an index page of its own, and with SQLite's 1000 every one of these pages was copied for a single id."""


class SqliteDatabase:
    """A `Database` in a file. Reads use a few connections of their own and never wait for a writer (WAL); writes go through
    one `Writer`."""

    def __init__(self, path: str) -> None:
        self.path = path
        # isolation_level=None: the driver sends no BEGIN itself. Otherwise RELEASE of a SAVEPOINT commits by itself,
        # and rolling back the transaction around it undoes nothing.
        self._reading = create_async_engine(
            URL.create("sqlite+aiosqlite", database=path),
            async_creator=lambda: _open_reader(path),
            pool_size=READERS,
            pool_reset_on_return=None,
        )
        self._writing = create_engine(
            URL.create("sqlite", database=path),
            connect_args={"isolation_level": None, "check_same_thread": False},
            pool_size=1,
            max_overflow=0,
        )
        event.listen(self._reading.sync_engine, "connect", _set_up_reader)
        event.listen(self._writing, "connect", _set_up_writer)
        event.listen(self._writing, "begin", _begin_immediate)
        self._writer = Writer(self._writing)
        self._reads = Uncancelled()

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Cancelling the caller does not interrupt the query: the thread of its connection would return the result later,
        after the event loop is closed."""
        return await self._reads.run(self._query(query), name="read")

    async def _query(self, query: Callable[[Connection], T]) -> T:
        try:
            async with self._reading.connect() as connection:
                return await connection.run_sync(query)
        except (DBAPIError, PoolTimeout, OSError) as error:
            raise StorageUnavailable from error

    async def write(self, work: Work[T]) -> T:
        return await self._writer.write(work)

    def start(self) -> None:
        self._writer.start()

    async def close(self) -> None:
        await self._writer.close()
        await self._reads.finish()
        await self._reading.dispose()


async def _open_reader(path: str) -> aiosqlite.Connection:
    """Connect without aiosqlite first: the thread of a failed connection would outlive the event loop, and print errors."""
    sqlite3.connect(path).close()
    return await aiosqlite.connect(path, isolation_level=None)


def _set_up_writer(connection: Any, _record: object) -> None:
    checkpoint = f"wal_autocheckpoint = {CHECKPOINT_PAGES}"
    _pragmas(connection, "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", checkpoint)


def _set_up_reader(connection: Any, _record: object) -> None:
    _pragmas(connection, "query_only = ON")


def _pragmas(connection: Any, *pragmas: str) -> None:
    cursor = connection.cursor()
    for pragma in (f"busy_timeout = {BUSY_TIMEOUT_MS}", *pragmas):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
