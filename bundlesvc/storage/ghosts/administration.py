"""Ghost variants for the operator: listing and retiring them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, case, select, update

from bundlesvc.domain.ghosts.variant import LIVE, MARKED, RETIRED
from bundlesvc.domain.live_platform.platform_change import BUNDLE
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import ghost_subjects, ghost_variants, shops

STATE = case(
    (ghost_variants.c.retired_at.is_not(None), RETIRED),
    (ghost_variants.c.marked, MARKED),
    else_=LIVE,
)
"""An SQL expression for the state of a ghost variant."""


@dataclass(frozen=True, slots=True)
class StoredGhost:
    """A ghost variant with its history. Times are in seconds since 1970; `bundle_id` is None when it is unknown."""

    shop: str
    variant_id: int
    product_id: int
    bundle_id: int | None
    state: str
    last_used_at: int
    checked_at: int
    bought_at: int | None
    retired_at: int | None
    gone_at: int | None


class SqlGhostAdmin:
    """Lists and retires ghost variants for the operator."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self, shop: str | None = None, state: str | None = None) -> Sequence[StoredGhost]:
        """Return the ghost variants, most recently used first, filtered by shop and state if these are given."""
        found = shops.c.handle == shop if shop else shops.c.id > 0
        query = _query().where(found, state == STATE if state else ghost_variants.c.id > 0)
        return await self._database.read(lambda connection: [_stored(row) for row in connection.execute(query)])

    async def retire(self, shop: str, wanted: "RetirementFilter", now: int) -> int:
        """Retire the ghost variants that match the filter and are in use, even those whose promise is still valid, and return
        how many were retired. A background task later removes them from the platform."""
        ghosts = ghost_variants.c
        of_shop = ghosts.shop_id.in_(select(shops.c.id).where(shops.c.handle == shop))
        values = {"retired_at": now, "claim": None, "check_at": 0}
        statement = (
            update(ghost_variants).where(of_shop, ghosts.retired_at.is_(None), wanted.condition()).values(values)
        )
        return await self._database.write(lambda connection: connection.execute(statement).rowcount)


@dataclass(frozen=True, slots=True)
class RetirementFilter:
    """A filter for the ghost variants to retire: they must meet every given condition."""

    variant_ids: Sequence[int] = ()
    bundle_id: int | None = None
    state: str | None = None

    def condition(self) -> ColumnElement[bool]:
        ghosts, subjects = ghost_variants.c, ghost_subjects.c
        found = ghosts.id > 0
        if self.variant_ids:
            found &= ghosts.variant_id.in_(self.variant_ids)
        if self.bundle_id is not None:
            of_bundle = (subjects.kind == BUNDLE) & (subjects.subject_id == self.bundle_id)
            found &= ghosts.id.in_(select(subjects.ghost_id).where(of_bundle))
        if self.state is not None:
            found &= self.state == STATE
        return found


def _query() -> Any:
    ghosts, subjects = ghost_variants.c, ghost_subjects.c
    of_bundle = (subjects.ghost_id == ghosts.id) & (subjects.kind == BUNDLE)
    bundle = select(subjects.subject_id).where(of_bundle).limit(1).scalar_subquery()
    query = select(shops.c.handle, ghost_variants, STATE.label("state"), bundle.label("bundle_id"))
    return query.join(shops, shops.c.id == ghosts.shop_id).order_by(ghosts.last_used_at.desc(), ghosts.id.desc())


def _stored(row: Row[Any]) -> StoredGhost:
    return StoredGhost(
        row.handle,
        row.variant_id,
        row.product_id,
        row.bundle_id,
        row.state,
        row.last_used_at,
        row.checked_at,
        row.bought_at,
        row.retired_at,
        row.gone_at,
    )
