"""Inserts the rows of a group through the PostgreSQL driver itself. SQLAlchemy would take twice as much processor time: it needs
more round trips, and has the statement prepared again for each group (docs/decisions/0035-where-time-goes.md)."""

from collections.abc import Mapping, Sequence

import asyncpg
from asyncpg.prepared_stmt import PreparedStatement
from sqlalchemy import PoolProxiedConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import greenlet_spawn

from bundlesvc.storage.database.postgresql import failures
from bundlesvc.storage.database.postgresql.connections import Connections
from bundlesvc.storage.database.prepared_insert import PreparedInsert, Row

_BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '100ms';"
"""Begins the transaction of a group. A group that meets a lock is abandoned, and its insertions are made one by one, so that only
one of them has to wait."""

_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


class DriverInserts:
    """Inserts rows on the driver's connections in the pool of an engine."""

    def __init__(self, engine: AsyncEngine, connections: Connections) -> None:
        self._engine = engine
        self._connections = connections

    async def commit(self, rows: Mapping[PreparedInsert, Sequence[Row]]) -> bool:
        """Insert the rows in one transaction. Returns False, with nothing stored, when a statement failed. Raises
        StorageUnavailable when there is no connection, or when it is unknown whether the rows are stored."""
        pooled = await self._engine.raw_connection()
        try:
            await self._insert(pooled, rows)
            await _commit(pooled)
        except _ERRORS:
            await _roll_back(pooled)
            return False
        except BaseException:
            await _discard(pooled)
            raise
        pooled.close()  # returns it to the pool
        return True

    async def _insert(self, pooled: PoolProxiedConnection, rows: Mapping[PreparedInsert, Sequence[Row]]) -> None:
        await _driver(pooled).execute(_BEGIN)
        for statement, of_statement in rows.items():
            text, values = statement.for_driver(self._engine.dialect, of_statement)
            prepared = await self._prepared(pooled, text)
            await prepared.executemany(values)

    async def _prepared(self, pooled: PoolProxiedConnection, text: str) -> PreparedStatement:
        """Return a prepared statement. It is prepared once for each connection, or each time if prepared statements have no
        names."""
        prepared: PreparedStatement | None = pooled.info.get(text)
        if prepared is None:
            name = self._connections.statement_name()
            prepared = await _driver(pooled).prepare(text, name=name)
            if name:
                pooled.info[text] = prepared
        return prepared


def _driver(pooled: PoolProxiedConnection) -> asyncpg.Connection:
    return pooled.driver_connection


async def _commit(pooled: PoolProxiedConnection) -> None:
    try:
        await _driver(pooled).execute("COMMIT;")
    except _ERRORS as error:
        failed = DBAPIError("COMMIT", None, error)
        failed.__cause__ = error
        raise failures.failure_of(failed) from failed


async def _roll_back(pooled: PoolProxiedConnection) -> None:
    try:
        await _driver(pooled).execute("ROLLBACK;")
    except BaseException as error:
        await _discard(pooled)
        if not isinstance(error, _ERRORS):
            raise
    else:
        pooled.close()


async def _discard(pooled: PoolProxiedConnection) -> None:
    """Close a connection that may be in the middle of a statement. This also cancels the statement on the server, which would
    otherwise keep its locks."""
    await greenlet_spawn(pooled.invalidate)
