"""Transactions of acts, which a dry run undoes."""

from typing import Any, TypeVar

from sqlalchemy import Connection

from bundlesvc.domain.revisions.revision import Act
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.retrying import write_retrying
from bundlesvc.storage.database.transaction import Work

T = TypeVar("T")


class _DryRun(Exception):
    """Undoes a transaction whose result is known."""

    def __init__(self, result: Any) -> None:
        super().__init__(result)
        self.result = result


async def write_act(database: Database, act: Act, work: Work[T]) -> T:
    """The result of some work, tried again after conflicts. A dry run is undone."""

    def undone(connection: Connection) -> T:
        raise _DryRun(work(connection))

    try:
        return await write_retrying(database, undone if act.dry_run else work)
    except _DryRun as done:
        result: T = done.result
        return result
