"""Writes that are tried again when they lose a race."""

from collections.abc import Callable
from typing import TypeVar

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.transaction import Conflict, Insertion, Work

MAX_TRIES = 3
"""The most attempts of a transaction that loses races against other processes."""

T = TypeVar("T")


async def write_retrying(database: Database, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
    """The result of `Database.write`, tried again after each Conflict. Raises StorageUnavailable after the last try, and what
    `Database.write` raises otherwise."""
    for _ in range(MAX_TRIES):
        try:
            return await database.write(work, insertion)
        except Conflict:
            continue
    raise StorageUnavailable
