"""Finds scheduled revisions that could not be published on time."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import shop_revisions, shops


class OverdueRevision(NamedTuple):
    """A scheduled revision that could not be published: the shop's handle, the revision's number, and the reason."""

    shop: str
    number: int
    problem: str


async def overdue_revisions(database: Database) -> Sequence[OverdueRevision]:
    """Return the scheduled revisions of all shops that could not be published on time. Raises StorageUnavailable."""
    rows = shop_revisions.c
    late = (rows.state == "scheduled") & rows.problem.is_not(None)
    query = select(shops.c.handle, rows.number, rows.problem).join_from(shop_revisions, shops).where(late)
    ordered = query.order_by(shops.c.handle, rows.number)
    return await database.read(lambda connection: [OverdueRevision(*row) for row in connection.execute(ordered)])
