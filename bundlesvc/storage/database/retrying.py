"""Retries writes that conflict with a write by another process."""

from collections.abc import Callable
from typing import TypeVar

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.transaction import Conflict, Insertion, Work

MAX_TRIES = 3
"""The maximum number of attempts for a transaction that loses races against other processes."""

T = TypeVar("T")


async def write_retrying(database: Database, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
    """Call `Database.write` and return its result, retrying after each Conflict. Raises StorageUnavailable when the last attempt
    conflicts, and any other error raised by `Database.write`."""
    for _ in range(MAX_TRIES):
        try:
            return await database.write(work, insertion)
        except Conflict:
            continue
    raise StorageUnavailable
