"""Fills every table with rows of every type, with values at the limits of their columns."""

from itertools import count
from random import Random
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    insert,
    select,
)

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.row_numbers import set_last_numbers
from bundlesvc.storage.database.tables import metadata

_TEXTS = ("", "plain", 'it\'s "quoted" \\ \\N \\.', "two\nlines\r\n\ttab", "käse 🧀 \u202e\ufeff", "NULL", "\x01\x7f")

Rows = dict[str, list[tuple[Any, ...]]]


class Filler:
    """Fills tables with generated rows. The same seed generates the same rows."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._numbers = count(1)

    def fill(self, connection: Connection, per_table: int = 3, tables: MetaData = metadata) -> None:
        for table in tables.sorted_tables:
            for _ in range(per_table):
                connection.execute(insert(table).values(self._row(connection, table)))

    def _row(self, connection: Connection, table: Table) -> dict[str, Any]:
        number = next(self._numbers)
        return {column.name: self._value(connection, column, number) for column in table.c}

    def _value(self, connection: Connection, column: Column[Any], number: int) -> Any:
        if column.foreign_keys:
            (key,) = column.foreign_keys
            there = connection.execute(select(key.column).order_by(key.column)).scalars().all()
            return there[number % len(there)]
        if column.nullable and self._random.random() < 0.3:
            return None
        if column.primary_key or column.unique or any(column.name in index.columns for index in column.table.indexes):
            return f"{number}" if isinstance(column.type, String) else self._of_type(column.type, number)
        return self._of_type(column.type, self._random.choice((0, -1, number, 2**31 - 1, -(2**31))))

    def _of_type(self, kind: Any, number: int) -> Any:
        if isinstance(kind, Boolean):
            return self._random.random() < 0.5
        if isinstance(kind, LargeBinary):
            return self._random.randbytes(300)
        if isinstance(kind, Text):
            return self._random.choice(_TEXTS) * number if 0 < number < 10**4 else self._random.choice(_TEXTS)
        if isinstance(kind, String):
            return self._random.choice(_TEXTS).ljust(kind.length or 1, "é")[: kind.length]
        if isinstance(kind, BigInteger) and abs(number) > 1000:
            return number * 2**31
        assert isinstance(kind, Integer), kind
        return number


async def fill(database: Database, seed: int = 1, per_table: int = 3) -> None:
    def work(connection: Connection) -> None:
        Filler(seed).fill(connection, per_table)
        set_last_numbers(connection, {})

    await database.write(work)


async def all_rows(database: Database) -> Rows:
    """Read all rows of all tables, each table sorted by its values."""

    def read(connection: Connection) -> Rows:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }

    return await database.read(read)
