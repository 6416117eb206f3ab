"""The database interface that the stores use."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.health.storage_health import StorageHealth
from bundlesvc.storage.database.transaction import Insertion, Read, Work

T = TypeVar("T")


class Database(Protocol):
    """A database. Reads never wait for writes, and a write returns only once it is on disk. `start()` prepares the database for
    use without any I/O."""

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run a query and return its result. The query may run more than once. Raises StorageUnavailable."""

    def snapshot(self) -> AbstractAsyncContextManager[Read]:
        """Open a snapshot: all reads see the state of the database at the time of the first read. For commands only, because
        SQLite's `-wal` file grows with every write until the snapshot ends. Raises StorageUnavailable."""

    async def read_shop(self, tenant: Tenant, query: Callable[[Connection], T]) -> T:
        """Run a query on the contents of a shop file, as of the tenant's revision or later, and return its result. A read replica
        may run the query. Raises StorageUnavailable."""

    async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
        """Run `work`, and return its result once the changes are on disk. Cancelling the caller does not stop the work. If an
        `insertion` is given and does not conflict with stored rows, it is executed instead of `work`, together with the
        insertions of other callers. If a statement of such a group fails, `work` is run after all; if the caller has been
        cancelled by then, `work` may be skipped, and nothing is stored.

        Raises StorageUnavailable, Conflict, and any error raised by `work`; nothing is stored then. (StorageUnavailable is also
        raised if the connection is lost during the commit; in that case, only PostgreSQL knows the outcome.)
        """

    @property
    def health(self) -> StorageHealth:
        """Return the state of the database, as of its last reads and writes."""

    async def try_writing(self) -> None:
        """Attempt a test write. If it succeeds, `health` no longer reports a failure. Raises StorageUnavailable."""

    async def overwrite_deleted(self) -> bool:
        """Overwrite the data of deleted rows in the database's files, as far as the engine can. Returns whether no such data is
        left. SQLite needs a moment without readers for this, and PostgreSQL overwrites the data at a time of its own choosing."""

    def start(self) -> None: ...

    async def close(self) -> None:
        """Finish the writes that are waiting, and close every connection."""
