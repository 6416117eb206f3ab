"""The interface of a database for the stores."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.health.storage_health import StorageHealth
from bundlesvc.storage.database.transaction import Insertion, Read, Work

T = TypeVar("T")


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
