"""Creates and opens a database. Its address determines whether it is SQLite or PostgreSQL."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bundlesvc.private_files import make_database_file
from bundlesvc.storage.database.address import is_postgresql
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.sqlite.file import SqliteDatabase

SERVICE_SECONDS, COMMAND_SECONDS = 10.0, 600.0
"""Seconds after which a PostgreSQL server that does not respond counts as unavailable: for the service, and for commands.
Statements of commands may take longer, because a shop can be large and pruning is slow."""


def create_database(address: str, timeout: float = SERVICE_SECONDS, read_address: str | None = None) -> Database:
    """Create the database object for an address: PostgreSQL, with a read replica if one is given, or SQLite. The database is not
    opened yet."""
    if not is_postgresql(address):
        return SqliteDatabase(address)
    from bundlesvc.storage.database.postgresql.server import PostgresqlDatabase  # noqa: PLC0415 - SQLite does not need it

    primary = PostgresqlDatabase(address, timeout)
    if read_address is None:
        return primary
    from bundlesvc.storage.database.postgresql.replica import REPLICA_SECONDS, ReplicatedDatabase  # noqa: PLC0415 - as above

    return ReplicatedDatabase(primary, PostgresqlDatabase(read_address, REPLICA_SECONDS))


@asynccontextmanager
async def open_database(address: str) -> AsyncIterator[Database]:
    """Open a database for a command, and close it at the end. If a SQLite file or its folder does not exist, creates it with
    access for the current user only. Raises OSError when that fails."""
    if not is_postgresql(address):
        make_database_file(Path(address))
    database = create_database(address, COMMAND_SECONDS)
    database.start()
    try:
        yield database
    finally:
        await database.close()
