"""The database: what repositories ask of one, and the one place that chooses it by its address (design 16)."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from bundlesvc.storage.address import is_postgresql
from bundlesvc.storage.private_files import make_database_file
from bundlesvc.storage.sqlite import SqliteDatabase
from bundlesvc.storage.transaction import Work

T = TypeVar("T")

SERVICE_SECONDS, COMMAND_SECONDS = 10.0, 600.0
"""After so long a PostgreSQL that does not answer counts as away. A command's statements may take their time: a shop may
be big, and a prune long."""


class Database(Protocol):
    """Reads never wait for writes; a write is on disk before its result is there. Opened by `start()`, without I/O."""

    async def read(self, query: Callable[[Connection], T]) -> T:
        """The result of a query, which may be asked more than once. Raises StorageUnavailable."""

    async def write(self, work: Work[T]) -> T:
        """The result of `work`, once it is on disk. A caller that goes away does not undo it.

        Raises StorageUnavailable, Conflict, and what `work` itself raises: then nothing of it is stored. (Where the
        connection is lost during the very commit, PostgreSQL alone knows: that is StorageUnavailable too.)
        """

    def start(self) -> None: ...

    async def close(self) -> None:
        """Write what waits, and let go of every connection."""


def create_database(address: str, timeout: float = SERVICE_SECONDS) -> Database:
    """The PostgreSQL at a URL, or the SQLite database in a file; neither is opened yet."""
    if not is_postgresql(address):
        return SqliteDatabase(address)
    from bundlesvc.storage.postgresql import PostgresqlDatabase  # noqa: PLC0415 - SQLite needs no such driver

    return PostgresqlDatabase(address, timeout)


@asynccontextmanager
async def open_database(address: str) -> AsyncIterator[Database]:
    """A database for a command, closed at the end; a SQLite file and its folder are made when absent, for this user alone.
    Raises OSError when there can be no such file."""
    if not is_postgresql(address):
        make_database_file(Path(address))
    database = create_database(address, COMMAND_SECONDS)
    database.start()
    try:
        yield database
    finally:
        await database.close()
