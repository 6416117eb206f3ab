"""Deletes rows in batches, so that no other writer waits for long."""

import asyncio
import time
from functools import partial

from sqlalchemy import Column, ColumnElement, Connection, Delete, Table, delete, select, true, tuple_

from bundlesvc.storage.database.interface import Database

FIRST_PART = 500
"""The number of rows in the first batch. Later batches have as many rows as can be deleted in `PART_SECONDS`."""

PART_SECONDS = 0.05
LARGEST_PART, SMALLEST_PART = 2_000, 10

EVERY_ROW = true()


async def delete_old(
    database: Database, recorded_at: Column[int], until: int, condition: ColumnElement[bool] = EVERY_ROW
) -> int:
    """Delete the rows whose `recorded_at` is at most `until` and that meet the condition. Returns the number of deleted rows.

    Rows are deleted in batches. Each batch is a separate transaction, followed by a pause that lasts as long as the batch took.
    Rows recorded in the same second are deleted together. Raises StorageUnavailable.
    """
    deleted, done, rows = 0, -1, FIRST_PART
    while done < until:
        begun = time.monotonic()
        end = await _end_of_part(database, recorded_at, done, until, rows)
        part = delete(recorded_at.table).where(recorded_at > done, recorded_at <= end, condition)
        deleted += await database.write(partial(_execute, part))
        took = time.monotonic() - begun
        done, rows = end, next_part(rows, took)
        if done < until:
            await asyncio.sleep(took)
    return deleted


async def delete_all(database: Database, table: Table, condition: ColumnElement[bool]) -> int:
    """Delete the rows that meet the condition, in batches, as `delete_old` does. Returns the number of deleted rows. Raises
    StorageUnavailable."""
    deleted, rows = 0, FIRST_PART
    key = table.primary_key.columns
    while True:
        begun = time.monotonic()
        part = delete(table).where(tuple_(*key).in_(select(*key).where(condition).limit(rows)))
        found = await database.write(partial(_execute, part))
        took = time.monotonic() - begun
        deleted += found
        if found < rows:
            return deleted
        rows = next_part(rows, took)
        await asyncio.sleep(took)


async def _end_of_part(database: Database, recorded_at: Column[int], done: int, until: int, rows: int) -> int:
    """Return the time of the last row of the next batch, or `until` when fewer rows are left."""
    following = select(recorded_at).where(recorded_at > done, recorded_at <= until).order_by(recorded_at)
    last = following.offset(rows - 1).limit(1)
    end = await database.read(lambda connection: connection.execute(last).scalar())
    return until if end is None else end


def _execute(part: Delete, connection: Connection) -> int:
    return connection.execute(part).rowcount


def next_part(rows: int, seconds: float) -> int:
    """Return the size of the next batch: the number of rows that can be processed in `PART_SECONDS`, but at most double the size
    of the last batch, `rows`."""
    fitting = int(rows * PART_SECONDS / max(seconds, 1e-6))
    return max(SMALLEST_PART, min(2 * rows, fitting, LARGEST_PART))
