"""Transactions: the assumptions that a unit of work can make, conflicts between two writers, and the locks that prevent
conflicts.

SQLite has one writer at a time. PostgreSQL has many, so data that a writer has read may have changed before its next statement
(READ COMMITTED). A unit of work therefore relies on a unique index (the second writer runs again, see `Conflict`), on a condition
that is repeated in the statement that makes the change, or on a lock that is taken before the first read.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, column, select, table, update

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.prepared_insert import PreparedInsert, Row
from bundlesvc.storage.database.tables import shops

T = TypeVar("T")

Work = Callable[[Connection], T]
"""A function that runs in its own transaction. It must be short and synchronous, and must not make network calls. It may run more
than once; only the last run takes effect."""


class Read(Protocol):
    """A function that runs a query and returns its result, like `Database.read`."""

    async def __call__(self, query: Callable[[Connection], T], /) -> T: ...


InsertedRow = tuple[PreparedInsert, Row]
"""The statement that inserts a row, and the row."""


class Insertion(NamedTuple, Generic[T]):
    """The common case of a unit of work: the rows to insert, in order, and the result to return. The insertions of many callers
    can be executed together, which is much faster. If one insertion fails, all of them must be run again separately, like any
    other units of work."""

    rows: Sequence[InsertedRow]
    result: T


def rows_by_statement(insertions: Sequence[Insertion[Any]]) -> Mapping[PreparedInsert, Sequence[Row]]:
    """Return the rows of several insertions by the statement that inserts them, in the order in which to run the statements."""
    rows: dict[PreparedInsert, list[Row]] = {}
    for insertion in insertions:
        for statement, row in insertion.rows:
            rows.setdefault(statement, []).append(row)
    return rows


def insert_rows(connection: Connection, insertions: Sequence[Insertion[Any]]) -> None:
    """Insert the rows of several insertions, with one statement per table."""
    for statement, rows in rows_by_statement(insertions).items():
        statement.run(connection, rows)


_VERSION = table("alembic_version", column("version_num"))


def write_something(connection: Connection) -> None:
    """Perform a test write that changes nothing. Skips a row that another process has locked for its own test."""
    found = select(_VERSION.c.version_num).with_for_update(skip_locked=True).scalar_subquery()
    connection.execute(update(_VERSION).where(_VERSION.c.version_num == found).values(version_num=found))


class Conflict(StorageUnavailable):
    """Raised when another writer stored the same unique row first, or deleted a row to which the work refers. When the work is
    run again, it sees that change."""


def lock_shop(connection: Connection, shop_id: int) -> None:
    """Lock a shop, so that only one transaction at a time holds this lock. Transactions that do not request the lock are not
    blocked, unless they change the shop's row."""
    connection.execute(select(shops.c.id).where(shops.c.id == shop_id).with_for_update(key_share=True))


def lock_appends(connection: Connection) -> None:
    """Lock the change log, so that only one transaction at a time appends to it and its numbers become visible in order. Not
    every engine can lock a table, so this locks a row that always exists: the one that contains the schema version."""
    connection.execute(select(_VERSION.c.version_num).with_for_update())
