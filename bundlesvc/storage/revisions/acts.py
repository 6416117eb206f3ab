"""Transactions that make a change (`Act`). A dry run rolls them back."""

from typing import Any, TypeVar

from sqlalchemy import Connection

from bundlesvc.domain.revisions.revision import Act
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.retrying import write_retrying
from bundlesvc.storage.database.transaction import Work

T = TypeVar("T")


class _DryRun(Exception):
    """Raised to roll back the transaction of a dry run once its result is known."""

    def __init__(self, result: Any) -> None:
        super().__init__(result)
        self.result = result


async def write_act(database: Database, act: Act, work: Work[T]) -> T:
    """Run some work in a transaction and return its result, retrying after conflicts. A dry run is rolled back."""

    def undone(connection: Connection) -> T:
        raise _DryRun(work(connection))

    try:
        return await write_retrying(database, undone if act.dry_run else work)
    except _DryRun as done:
        result: T = done.result
        return result
