"""Reads whole tables in batches, ordered by key, so that large tables need neither more memory nor longer transactions."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, func, select, tuple_

from bundlesvc.storage.database.tables import metadata
from bundlesvc.storage.database.transaction import Read

Key = tuple[Any, ...]
"""The primary key of a row."""

PART_ROWS, PART_DOCUMENTS = 5000, 100
"""The number of rows in one batch: of a table with plain columns only, and of a table with documents, which are larger."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The rows of a table up to a key: the number of rows, and the sum of their digests, which is independent of the order of the
    rows. Identical rows have the same digest in SQLite and PostgreSQL."""

    rows: int = 0
    digest: int = 0
    last_key: Key | None = None

    def plus(self, table: Table, rows: Sequence[Row[Any]]) -> "Extent":
        """Return this extent with the next rows of the table added."""
        digest = self.digest + sum(map(_digest, rows))
        return Extent(self.rows + len(rows), digest % 2**64, key_of(table, rows[-1]))


async def parts(
    read: Read, table: Table, after: Key | None = None, last: Key | None = None
) -> AsyncIterator[Sequence[Row[Any]]]:
    """Yield the rows of a table in batches, starting after the key `after` and ending with the key `last`. Every batch has at
    least one row."""
    limit = PART_DOCUMENTS if "document" in table.c else PART_ROWS
    count = limit
    while count == limit:
        rows = await read(partial(_part, table, after, last, limit))
        count = len(rows)
        if rows:
            yield rows
            after = key_of(table, rows[-1])


async def extent(read: Read, table: Table, last: Key | None = None) -> Extent:
    """Return the number of a table's rows and the sum of their digests, up to and including the key `last`, or for all rows when
    it is None."""
    found = Extent()
    async for rows in parts(read, table, last=last):
        found = found.plus(table, rows)
    return found


def row_counts(connection: Connection) -> dict[str, int]:
    """Return the number of rows in each table, by table name."""
    counts = {table.name: select(func.count()).select_from(table) for table in metadata.sorted_tables}
    return {name: connection.execute(count).scalar_one() for name, count in counts.items()}


def key_of(table: Table, row: Row[Any]) -> Key:
    return tuple(value for column, value in zip(table.c, row, strict=True) if column.primary_key)


def _part(table: Table, after: Key | None, last: Key | None, limit: int, connection: Connection) -> Sequence[Row[Any]]:
    query = select(table).order_by(*table.primary_key.columns).limit(limit).where(*_between(table, after, last))
    return connection.execute(query).all()


def _between(table: Table, after: Key | None, last: Key | None) -> Iterable[ColumnElement[bool]]:
    key = tuple_(*table.primary_key.columns)
    if after is not None:
        yield key > after
    if last is not None:
        yield key <= last


def _digest(row: Row[Any]) -> int:
    return int.from_bytes(blake2b(repr(tuple(row)).encode(), digest_size=8).digest())
