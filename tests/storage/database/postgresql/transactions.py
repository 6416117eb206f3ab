"""Work on a table of notes, including work that can be paused halfway."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Column, Connection, MetaData, Table, Text, text
from sqlalchemy.util import await_only

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.postgresql.server import PostgresqlDatabase
from bundlesvc.storage.database.prepared_insert import PreparedInsert
from bundlesvc.storage.database.transaction import Insertion, Work

NOTE = Table("note", MetaData(), Column("text", Text))
_INSERT_NOTE = PreparedInsert(NOTE)


@asynccontextmanager
async def opened(url: str, seconds: float = 10.0) -> AsyncIterator[PostgresqlDatabase]:
    database = PostgresqlDatabase(url, seconds)
    database.start()
    try:
        yield database
    finally:
        await database.close()


def run(statement: str) -> Work[None]:
    return lambda connection: connection.execute(text(statement)).close()


def scalar(statement: str) -> Work[Any]:
    return lambda connection: connection.execute(text(statement)).scalar()


def note(*texts: str) -> Work[int]:
    """Build a unit of work that writes these notes and returns their number."""

    def work(connection: Connection) -> int:
        for each in texts:
            connection.execute(text("INSERT INTO note VALUES (:text)"), {"text": each})
        return len(texts)

    return work


def insertion(*texts: str) -> Callable[[], Insertion[int]]:
    """Build an insertion of these notes that returns their number."""
    return lambda: Insertion([(_INSERT_NOTE, {"text": text}) for text in texts], len(texts))


def notes(connection: Connection) -> list[str]:
    return list(connection.execute(text("SELECT text FROM note ORDER BY text")).scalars())


class Held:
    """Work that runs a first function, waits until it is released, and then runs a second one."""

    def __init__(self, first: Work[object], second: Work[object] = lambda _: None) -> None:
        self._first, self._second = first, second
        self.started = asyncio.Event()
        self.released = asyncio.Event()
        self.times = 0

    def __call__(self, connection: Connection) -> None:
        self.times += 1
        self._first(connection)
        self.started.set()
        await_only(asyncio.wait_for(self.released.wait(), 10))
        self._second(connection)


async def until_one_waits(database: Database) -> None:
    """Wait until a transaction waits for a lock."""
    await _until_count(database, "wait_event_type = 'Lock'", lambda count: count > 0)


async def until_none_commits(database: Database) -> None:
    """Wait until no transaction is being committed."""
    await _until_count(database, "state = 'active' AND query = 'COMMIT;'", lambda count: count == 0)


async def _until_count(database: Database, condition: str, is_reached: Callable[[int], bool]) -> None:
    """Wait until `is_reached` accepts the number of connections to the database that meet a condition."""
    connections = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    async with asyncio.timeout(10):
        while not is_reached(await database.read(scalar(f"{connections} AND {condition}"))):  # noqa: ASYNC110 - the server notifies nobody
            await asyncio.sleep(0.01)
