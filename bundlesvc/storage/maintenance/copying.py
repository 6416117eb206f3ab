"""Copies a database to another database, of the same kind or of a different kind (docs/decisions/0028-copying-a-database.md).

The copy is made from a snapshot of the source, and is compared with the snapshot at the end. Each batch is one transaction in the
target, which also records the progress, so that an interrupted copy can continue. Before a copy continues, the rows already
copied are compared with the source, which may have changed.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from sqlalchemy import Table

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.health.causes import cause
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.whole_tables import Extent, extent, parts, row_counts
from bundlesvc.storage.database.row_numbers import last_numbers
from bundlesvc.storage.database.tables import metadata
from bundlesvc.storage.database.transaction import Conflict, Read, Work
from bundlesvc.storage.maintenance.unfinished_copy import EMPTY_IT, CopyFailed, add_rows, begin, finish

T = TypeVar("T")

Report = Callable[[str, int, int], None]
"""A function that reports progress: the current step, the number of rows done so far, and the total number of rows."""


async def copy_database(source: Database, target: Database, name: str, report: Report) -> Mapping[str, int]:
    """Copy the source to an empty target, or continue an interrupted copy. `name` is the name of the source. Returns the number
    of rows in each table. Raises CopyFailed, and StorageUnavailable when the source fails."""
    async with source.snapshot() as read:
        counts = await read(row_counts)
        begun = await _write(target, partial(begin, source=name))
        copied = {}
        for table in metadata.sorted_tables:
            progress = partial(report, table.name)
            copied[table.name] = await _copy(read, target, table, begun[table.name], counts[table.name], progress)
        numbers = await read(last_numbers)
    await _compare(target, copied, partial(report, "compared"))
    await _write(target, partial(finish, numbers=numbers))
    return counts


async def _copy(
    read: Read, target: Database, table: Table, there: Extent, count: int, report: Callable[[int, int], None]
) -> Extent:
    if there.rows and await extent(read, table, there.last_key) != there:
        raise CopyFailed(f"The source has changed since the copy was interrupted ({table.name}). {EMPTY_IT}")
    async for rows in parts(read, table, after=there.last_key):
        more = there.plus(table, rows)
        await _write(target, partial(add_rows, table=table, rows=rows, before=there, after=more))
        there = more
        report(there.rows, count)
    return there


async def _compare(target: Database, copied: Mapping[str, Extent], report: Callable[[int, int], None]) -> None:
    done, total = 0, sum(extent.rows for extent in copied.values())
    async with target.snapshot() as read:
        for table in metadata.sorted_tables:
            found = Extent()
            async for rows in parts(read, table):
                found, done = found.plus(table, rows), done + len(rows)
                report(done, total)
            wanted = copied[table.name]
            if (found.rows, found.digest) != (wanted.rows, wanted.digest):
                raise CopyFailed(
                    f"{table.name}: the {found.rows:,} rows in the target are not the {wanted.rows:,} of the source. "
                    f"{EMPTY_IT}"
                )


async def _write(target: Database, work: Work[T]) -> T:
    try:
        return await target.write(work)
    except Conflict as error:
        raise CopyFailed(f"Another process writes to the target. {EMPTY_IT}") from error
    except StorageUnavailable as failure:
        raise CopyFailed(f"The target fails: {cause(failure)}") from failure
