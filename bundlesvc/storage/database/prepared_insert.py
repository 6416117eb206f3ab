"""INSERT statements that SQLAlchemy compiles only once."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Table, insert

Row = Mapping[str, Any]
"""The values of a row by column name, in the form that the drivers expect."""


class PreparedInsert:
    """An INSERT for rows that all have the same columns. It is compiled only once, because for each insertion, SQLAlchemy would
    otherwise spend more time finding the compiled statement and preparing the values than SQLite spends storing them."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._compiled: dict[str, tuple[str, tuple[str, ...]]] = {}

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Insert the rows."""
        statement, values = self.for_driver(connection.dialect, rows)
        connection.exec_driver_sql(statement, values if len(values) > 1 else values[0])

    def for_driver(self, dialect: Dialect, rows: Sequence[Row]) -> tuple[str, list[tuple[Any, ...]]]:
        """Return the statement and the values of each row, in the form that the dialect's driver expects."""
        if dialect.name not in self._compiled:
            compiled = insert(self._table).inline().compile(dialect=dialect, column_keys=list(rows[0]))
            self._compiled[dialect.name] = str(compiled), tuple(compiled.positiontup or ())
        statement, columns = self._compiled[dialect.name]
        return statement, [tuple(map(row.__getitem__, columns)) for row in rows]
