"""Reads many rows in batches, so that no query takes long."""

from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Column, Connection, Row, Select, tuple_

from bundlesvc.storage.database.interface import Database

PART = 500
"""The number of rows per query."""


async def scan(database: Database, query: Select[Any], *key: Column[Any]) -> AsyncIterator[Row[Any]]:
    """Yield the rows of a query, ordered by the key columns. The combination of the key columns must be unique and indexed, and
    the query must select them. Raises StorageUnavailable."""
    async for rows in scan_parts(database, query, *key):
        for row in rows:
            yield row


async def scan_parts(database: Database, query: Select[Any], *key: Column[Any]) -> AsyncIterator[Sequence[Row[Any]]]:
    """Yield the rows of a query, ordered by the key columns, in batches of up to `PART` rows. Raises StorageUnavailable."""
    part = query.order_by(*key).limit(PART)
    while rows := await database.read(partial(_rows, part)):
        yield rows
        if len(rows) < PART:
            return
        part = query.where(tuple_(*key) > tuple(getattr(rows[-1], column.name) for column in key))
        part = part.order_by(*key).limit(PART)


def _rows(query: Select[Any], connection: Connection) -> list[Row[Any]]:
    return list(connection.execute(query))
