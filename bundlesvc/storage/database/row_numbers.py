"""The last row number of each table whose rows are numbered by the database.

This number may be higher than that of the last remaining row. The number of a deleted row must not be reused, because processes
remember the last number that they have read.
"""

from collections.abc import Mapping

from sqlalchemy import ColumnClause, Connection, Integer, Table, TableClause, Text, delete, func, insert, select, text

from bundlesvc.storage.database.tables import metadata, shops

SEQUENCES = TableClause("sqlite_sequence", ColumnClause("name", Text), ColumnClause("seq", Integer))
"""The table in which SQLite keeps the last row number of each table with AUTOINCREMENT. Programs may write to it."""

NUMBERED = {
    table: table.autoincrement_column for table in metadata.sorted_tables if table.autoincrement_column is not None
}


def last_numbers(connection: Connection) -> Mapping[str, int]:
    """Return the last number used in each table, by table name. Leaves out tables that have never contained a row."""
    if connection.dialect.name == "sqlite":
        return {row.name: row.seq for row in connection.execute(select(SEQUENCES))}
    found = {}
    for table in NUMBERED:
        last = f"SELECT last_value FROM {_sequence(connection, table)} WHERE is_called"  # noqa: S608 - a quoted name
        if number := connection.execute(text(last)).scalar():
            found[table.name] = number
    return found


def set_last_numbers(connection: Connection, numbers: Mapping[str, int]) -> None:
    """Ensure that the next row of each table gets a number above the given number, and above the numbers of all existing rows of
    the table."""
    for table, column in NUMBERED.items():
        highest = connection.execute(select(func.max(column))).scalar() or 0
        if last := max(numbers.get(table.name, 0), highest):
            _set_last_number(connection, table, last)


def _set_last_number(connection: Connection, table: Table, last: int) -> None:
    if connection.dialect.name != "sqlite":
        connection.execute(select(func.setval(_sequence(connection, table), last)))
    elif table is shops or table.dialect_options["sqlite"]["autoincrement"]:  # other tables count from their last row
        connection.execute(delete(SEQUENCES).where(SEQUENCES.c.name == table.name))
        connection.execute(insert(SEQUENCES).values(name=table.name, seq=last))


def _sequence(connection: Connection, table: Table) -> str:
    column = NUMBERED[table]
    name: str = connection.execute(select(func.pg_get_serial_sequence(table.name, column.name))).scalar_one()
    return name
