"""The state of an unfinished copy, stored in a table of its target: the source, and how much of each table has been copied.

As long as this state table exists, the database cannot be opened for any other purpose (`schema.version`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    MetaData,
    Row,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.util import await_only

from bundlesvc.storage.database.parts.whole_tables import Extent
from bundlesvc.storage.database.row_numbers import set_last_numbers
from bundlesvc.storage.database.tables import metadata
from bundlesvc.storage.migrations.schema import HEAD, UNFINISHED_COPY, stored_version, upgrade

EMPTY_IT = (
    "Empty the target (a PostgreSQL database: drop it and create it again; SQLite: delete the file), and copy again."
)

_unfinished = Table(
    UNFINISHED_COPY,
    MetaData(),
    Column("table_name", String(255), primary_key=True),
    Column("source", Text, nullable=False),
    Column("rows", BigInteger, nullable=False),
    Column("digest", String(16), nullable=False),
    Column("last_key", Text, nullable=False),
)


class CopyFailed(Exception):
    """Raised when a copy fails. The message says why, and how to proceed."""


def begin(connection: Connection, source: str) -> Mapping[str, Extent]:
    """Begin a copy of this source by creating the tables, or continue an unfinished one. Returns how much of each table the
    target contains. Raises CopyFailed, and StorageUnavailable when a newer version of the service created the tables."""
    there = set(inspect(connection).get_table_names())
    if UNFINISHED_COPY in there:
        return _continue(connection, source)
    _check_empty(connection, there - {"alembic_version"})
    upgrade(connection)
    _unfinished.create(connection)
    rows = [{"table_name": table.name, "source": source, **_columns(Extent())} for table in metadata.sorted_tables]
    connection.execute(insert(_unfinished), rows)
    return {table.name: Extent() for table in metadata.sorted_tables}


def add_rows(connection: Connection, table: Table, rows: Sequence[Row[Any]], before: Extent, after: Extent) -> None:
    """Insert the next rows of a table. Raises CopyFailed when another process has inserted rows since `before` was recorded."""
    mine = (_unfinished.c.table_name == table.name) & (_unfinished.c.rows == before.rows)
    if connection.execute(update(_unfinished).where(mine).values(_columns(after))).rowcount != 1:
        raise CopyFailed("Another copy to the same target is running.")
    _insert(connection, table, rows)


def _insert(connection: Connection, table: Table, rows: Sequence[Row[Any]]) -> None:
    """Insert rows through the driver's own API, which is much faster than SQLAlchemy's."""
    columns, values = [column.name for column in table.c], list(map(tuple, rows))
    if connection.dialect.name == "postgresql":
        _insert_by_copy(connection, table, columns, values)
    else:
        statement = str(insert(table).inline().compile(dialect=connection.dialect, column_keys=columns))
        connection.exec_driver_sql(statement, values)


def _insert_by_copy(
    connection: Connection, table: Table, columns: Sequence[str], values: Sequence[tuple[Any, ...]]
) -> None:
    import asyncpg  # noqa: PLC0415 - SQLite does not need it

    driver: Any = connection.connection.driver_connection
    try:
        await_only(driver.copy_records_to_table(table.name, columns=columns, records=values))
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise CopyFailed(f"The target refuses rows of {table.name}: {error}.") from error


def finish(connection: Connection, numbers: Mapping[str, int]) -> None:
    """Complete the copy, after which the service can open the target. `numbers` are the last row numbers of the source's tables,
    by table name."""
    set_last_numbers(connection, numbers)
    _unfinished.drop(connection)


def _check_empty(connection: Connection, names: set[str]) -> None:
    for name in sorted(names):
        if name not in metadata.tables:
            raise CopyFailed(f"The target is not empty: it has a table {name}, which is not of bundlesvc.")
        if connection.execute(select(metadata.tables[name].c[0]).limit(1)).first() is not None:
            raise CopyFailed(f"The target is not empty: its table {name} has rows. {EMPTY_IT}")


def _continue(connection: Connection, source: str) -> Mapping[str, Extent]:
    if stored_version(connection) != HEAD:
        raise CopyFailed(f"Another version of bundlesvc has begun a copy in the target. {EMPTY_IT}")
    rows = connection.execute(select(_unfinished)).all()
    for row in rows:
        if row.source != source:
            raise CopyFailed(f"The target has an unfinished copy of {row.source}. {EMPTY_IT}")
    return {row.table_name: _extent(row) for row in rows}


def _columns(extent: Extent) -> Mapping[str, Any]:
    return {"rows": extent.rows, "digest": f"{extent.digest:x}", "last_key": orjson.dumps(extent.last_key).decode()}


def _extent(row: Row[Any]) -> Extent:
    last_key = orjson.loads(row.last_key)
    return Extent(row.rows, int(row.digest, 16), None if last_key is None else tuple(last_key))
