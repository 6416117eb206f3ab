"""The interface of a database for the stores, and the choice of the engine by the address."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from bundlesvc.domain.shop import Tenant
from bundlesvc.private_files import make_database_file
from bundlesvc.storage.database.address import is_postgresql
from bundlesvc.storage.database.health import StorageHealth
from bundlesvc.storage.database.sqlite import SqliteDatabase
from bundlesvc.storage.database.transaction import Insertion, Read, Work

T = TypeVar("T")

SERVICE_SECONDS, COMMAND_SECONDS = 10.0, 600.0
"""Seconds after which a PostgreSQL that does not respond counts as unavailable. The statements of a command may take
longer: a shop can be large, and pruning slow."""


class Database(Protocol):
    """Reads never wait for writes, and a write is on disk before it returns. `start()` opens it, without I/O."""

    async def read(self, query: Callable[[Connection], T]) -> T:
        """The result of a query, which may run more than once. Raises StorageUnavailable."""

    def snapshot(self) -> AbstractAsyncContextManager[Read]:
        """Reads that all see the database as it was at the first of them. For commands only: until the end, SQLite's `-wal`
        file grows with every write. Raises StorageUnavailable."""

    async def read_shop(self, tenant: Tenant, query: Callable[[Connection], T]) -> T:
        """The result of a query on the contents of a shop file, as of the tenant's revision or later. A read replica may run
        it. Raises StorageUnavailable."""

    async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
        """The result of `work`, once it is on disk. Cancelling the caller does not undo it. If there is an `insertion` and it
        does not conflict with stored rows, it is made instead, together with those of other callers.

        Raises StorageUnavailable, Conflict, and what `work` raises: then nothing of it is stored. (If the connection is
        lost during the commit, only PostgreSQL knows; that is StorageUnavailable, too.)
        """

    @property
    def health(self) -> StorageHealth:
        """The state of the database, from its last reads and writes."""

    async def try_writing(self) -> None:
        """Make a test write. If it succeeds, `health` recovers from a failure. Raises StorageUnavailable."""

    async def overwrite_deleted(self) -> bool:
        """Overwrite what deleted rows left in the database's files, as far as the engine can. Returns whether nothing is left:
        SQLite needs a moment without readers for that, and PostgreSQL overwrites in its own time."""

    def start(self) -> None: ...

    async def close(self) -> None:
        """Finish waiting writes, and close every connection."""


def create_database(address: str, timeout: float = SERVICE_SECONDS, read_address: str | None = None) -> Database:
    """Create the database object for an address: PostgreSQL, with a read replica if there is one, or SQLite. It is not opened
    yet."""
    if not is_postgresql(address):
        return SqliteDatabase(address)
    from bundlesvc.storage.database.postgresql import PostgresqlDatabase  # noqa: PLC0415 - SQLite needs no such driver

    primary = PostgresqlDatabase(address, timeout)
    if read_address is None:
        return primary
    from bundlesvc.storage.database.replica import REPLICA_SECONDS, ReplicatedDatabase  # noqa: PLC0415 - for the same reason

    return ReplicatedDatabase(primary, PostgresqlDatabase(read_address, REPLICA_SECONDS))


@asynccontextmanager
async def open_database(address: str) -> AsyncIterator[Database]:
    """A database for a command, closed at the end. A SQLite file and its folder are created when absent, for this user
    alone. Raises OSError when that fails."""
    if not is_postgresql(address):
        make_database_file(Path(address))
    database = create_database(address, COMMAND_SECONDS)
    database.start()
    try:
        yield database
    finally:
        await database.close()
