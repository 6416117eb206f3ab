"""Opens and configures connections to a SQLite file: several for reads, one for writes."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
from sqlalchemy import URL, Connection, Engine, create_engine, event

BUSY_TIMEOUT_MS = 5000
"""Milliseconds for which a statement waits for the transaction of another process."""

CHECKPOINT_PAGES = 4000
"""When the `-wal` file reaches this number of pages, they are copied to the database. Configured bundles have random ids, so
nearly every bundle changes a different index page; with SQLite's default of 1,000, a page would be copied for nearly every
bundle."""


def reading_engine(path: str, readers: int) -> Engine:
    """Create an engine with `readers` connections for reads. SQLAlchemy's asyncio extension would create the same engine, but
    would also import the ORM, which slows down startup."""
    uri = f"{Path(path).absolute().as_uri()}?mode=rw"  # a reader must not create the file
    engine = create_engine(
        URL.create("sqlite+aiosqlite", database=path),
        creator=lambda: driver.connect(async_creator_fn=lambda: _open_reader(uri)),
        pool_size=readers,
        pool_reset_on_return=None,
        hide_parameters=True,
    )
    driver: Any = engine.dialect.dbapi
    event.listen(engine, "connect", _set_up_reader)
    return engine


def writing_engine(path: str) -> Engine:
    """Create an engine with a single connection, whose transactions all lock the database for writing.

    The driver itself must not send BEGIN (`isolation_level`). Otherwise, RELEASE of a SAVEPOINT would commit, and rolling back
    the enclosing transaction would undo nothing.
    """
    engine = create_engine(
        URL.create("sqlite", database=path),
        connect_args={"isolation_level": None, "check_same_thread": False},
        pool_size=1,
        max_overflow=0,
        hide_parameters=True,  # keeps values out of tracebacks in the log
    )
    event.listen(engine, "connect", _set_up_writer)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def empty_log(path: Path) -> bool:
    """Copy the contents of the `-wal` file to the database, and empty the file. Deleted rows are then overwritten in the database
    (`secure_delete`) and gone from the `-wal` file. Returns False when a reader or a disk failure prevents this."""
    try:
        with closing(sqlite3.connect(path, BUSY_TIMEOUT_MS / 1000, isolation_level=None)) as connection:
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error:
        return False
    return not busy


async def _open_reader(uri: str) -> aiosqlite.Connection:
    """Open a connection for reading. Tries to open the file without aiosqlite first, because the thread of a failed connection
    would outlive the event loop and print errors."""
    sqlite3.connect(uri, uri=True).close()
    return await aiosqlite.connect(uri, uri=True, isolation_level=None)


def _set_up_writer(connection: Any, _record: object) -> None:
    checkpoint = f"wal_autocheckpoint = {CHECKPOINT_PAGES}"
    durable = "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", checkpoint
    # Deleted data is overwritten, because it may be personal. Data for undoing a SAVEPOINT stays in memory: otherwise a large
    # group would make SQLite write a temporary file.
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


def _register_adapters() -> None:
    """Register adapters for None, bytes and booleans, for all connections of the process. Without an adapter, the driver searches
    each such value for a conversion method, which costs more than storing it."""
    for stored_unchanged in (type(None), bytes):
        sqlite3.register_adapter(stored_unchanged, lambda value: value)
    sqlite3.register_adapter(bool, int)


_register_adapters()
