"""Retirement of ghost variants: they are retired in the database, removed from the platform, and then recorded as removed. If a
process is interrupted, its claim remains; once the claim expires, another process continues."""

import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select, update

from bundlesvc.domain.ghosts.variant import Claim, ClaimedGhost, Room
from bundlesvc.storage.database.tables import ghost_variants
from bundlesvc.storage.database.transaction import lock_shop
from bundlesvc.storage.ghosts.records import forget_subjects, ghost_in_use, ghost_of, in_use_again

CLAIM_SECONDS = 10 * 60
"""Seconds until a claim expires. By then a removal in progress has succeeded or failed."""


def new_token() -> str:
    return secrets.token_hex(16)


def claimed_ghost(row: Row[Any]) -> ClaimedGhost:
    return ClaimedGhost(row.id, row.shop_id, ghost_of(row), retired=row.retired_at is not None)


def retire(connection: Connection, condition: ColumnElement[bool], token: str, now: int) -> Claim:
    """Retire the ghost variants in use that meet a condition, and claim them with `token` until the platform has removed them."""
    ghosts = ghost_variants.c
    values = {"retired_at": now, "claim": token, "check_at": now + CLAIM_SECONDS}
    statement = update(ghost_variants).where(ghosts.retired_at.is_(None), condition).values(values)
    rows = connection.execute(statement.returning(ghost_variants)).all()
    return Claim(token, tuple(claimed_ghost(row) for row in rows))


def make_room(connection: Connection, shop_id: int, product_id: int, limit: int, unused_since: int, now: int) -> Room:
    """If a product has at least `limit` ghost variants, retire some of them, but none that was used after `unused_since`."""
    ghosts = ghost_variants.c
    of_product = (ghosts.shop_id == shop_id) & (ghosts.product_id == product_id)
    leaving = ghosts.retired_at.is_not(None) & ghosts.claim.is_not(None) & (ghosts.check_at > now)
    stays = select(func.count()).where(of_product, ghosts.gone_at.is_(None), ~leaving)
    count = connection.execute(stays).scalar_one()
    if count < limit:
        return Room(Claim("", ()))
    in_use = of_product & ghosts.retired_at.is_(None)
    ids = _never_bought_and_oldest_first(connection, in_use, unused_since, count - limit + limit // 10)
    claim = retire(connection, ghosts.id.in_(ids) & (ghosts.last_used_at <= unused_since), new_token(), now)
    if claim.ghosts:
        return Room(claim)
    oldest = connection.execute(select(func.min(ghosts.last_used_at)).where(in_use)).scalar()
    return Room(claim, now if oldest is None else max(now, oldest + now - unused_since))


def _never_bought_and_oldest_first(
    connection: Connection, in_use: ColumnElement[bool], unused_since: int, count: int
) -> Sequence[int]:
    ghosts = ghost_variants.c
    query = select(ghosts.id).where(in_use, ghosts.last_used_at <= unused_since)
    query = query.order_by(ghosts.bought_at.is_not(None), ghosts.last_used_at).limit(count)
    return connection.execute(query).scalars().all()


def record_removal(connection: Connection, claim: Claim, now: int) -> None:
    """Record that the platform has removed these ghost variants, except those that came back into use in the meantime."""
    ids = [claimed.id for claimed in claim.ghosts]
    mine = ghost_variants.c.id.in_(ids) & (ghost_variants.c.claim == claim.token)
    gone = update(ghost_variants).where(mine).values(gone_at=now, claim=None, check_at=None)
    forget_subjects(connection, connection.execute(gone.returning(ghost_variants.c.id)).scalars().all())


def revive(connection: Connection, claim: Claim, now: int) -> None:
    """Undo the retirement of ghost variants, except where another ghost variant with the same identity is in use. The platform
    may already have removed some of the variants, so each variant is looked up there before it is used."""
    for claimed in claim.ghosts:
        lock_shop(connection, claimed.shop_id)
        mine = (ghost_variants.c.id == claimed.id) & (ghost_variants.c.claim == claim.token)
        if ghost_in_use(connection, claimed.shop_id, claimed.ghost.identity) is None:
            connection.execute(update(ghost_variants).where(mine).values(in_use_again(now, confirmed_at=0)))
