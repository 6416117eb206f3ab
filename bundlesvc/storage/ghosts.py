"""Our own records of ghost variants: which is in use for what, since when, and which the platform was asked to forget."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from bundlesvc.ports import Ghost, GhostRetired
from bundlesvc.storage.tables import ghost_variants

RETIRING_SECONDS = 10 * 60
"""For so long a retired ghost may be about to leave the platform. One that is still found there later never will: whoever
retired it was broken off before the platform heard of it."""


def ghost_in_use(connection: Connection, shop_id: int, identity: str) -> Ghost | None:
    """The ghost in use for what it stands for."""
    row = _row_in_use(connection, shop_id, identity)
    return None if row is None else _ghost(row)


def _row_in_use(connection: Connection, shop_id: int, identity: str) -> Row[Any] | None:
    ghosts = ghost_variants.c
    query = select(ghost_variants).where(
        ghosts.shop_id == shop_id, ghosts.identity == identity, ghosts.retired_at.is_(None)
    )
    return connection.execute(query).first()


def use_ghost(connection: Connection, shop_id: int, ghost: Ghost, now: int) -> int:
    """The variant to put into the cart: of two that made the same ghost at once, both use the first one's; one that the
    platform has no more gives way to the one that it has."""
    there = _row_in_use(connection, shop_id, ghost.identity)
    if there is not None and there.variant_id != ghost.variant_id and there.confirmed_at < ghost.confirmed_at:
        _change_in_use(connection, there.id, retired_at=now)
        there = None
    if there is None:
        _take_into_use(connection, shop_id, ghost, now)
        return ghost.variant_id
    if there.last_used_at < now:  # once a second: of many that use it at once, none waits for the others
        confirmed_at = max(there.confirmed_at, ghost.confirmed_at)
        _change_in_use(connection, there.id, last_used_at=now, confirmed_at=confirmed_at)
    return int(there.variant_id)


def _change_in_use(connection: Connection, ghost_id: int, **values: int) -> None:
    """Raises GhostRetired when it was retired a moment ago."""
    in_use = (ghost_variants.c.id == ghost_id) & ghost_variants.c.retired_at.is_(None)
    if connection.execute(update(ghost_variants).where(in_use).values(values)).rowcount == 0:
        raise GhostRetired


def _take_into_use(connection: Connection, shop_id: int, ghost: Ghost, now: int) -> None:
    """Add a ghost, or put one to use again that was retired long ago and never left the platform. Raises GhostRetired when it
    may be about to leave it."""
    ghosts = ghost_variants.c
    retired = (ghosts.shop_id == shop_id) & (ghosts.variant_id == ghost.variant_id) & ghosts.retired_at.is_not(None)
    stayed = retired & (ghosts.retired_at <= now - RETIRING_SECONDS)
    if connection.execute(update(ghost_variants).where(stayed).values(retired_at=None, last_used_at=now)).rowcount:
        return
    if connection.execute(select(ghosts.id).where(retired)).first() is not None:
        raise GhostRetired
    row = {
        "shop_id": shop_id,
        "identity": ghost.identity,
        "product_id": ghost.product_id,
        "variant_id": ghost.variant_id,
        "last_used_at": now,
        "confirmed_at": ghost.confirmed_at,
    }
    connection.execute(insert(ghost_variants), row)


def retire_unused(
    connection: Connection, shop_id: int, product_id: int, limit: int, unused_since: int, now: int
) -> list[Ghost]:
    """Retire the least recently used of a product that has `limit` or more, and say which: one that was used since it was
    looked at stays."""
    old = _unused(connection, shop_id, product_id, limit, unused_since)
    retired = _retire(connection, [row.id for row in old], unused_since, now)
    return [_ghost(row) for row in old if row.id in retired]


def _unused(connection: Connection, shop_id: int, product_id: int, limit: int, unused_since: int) -> Sequence[Row[Any]]:
    ghosts = ghost_variants.c
    in_use = (ghosts.shop_id == shop_id) & (ghosts.product_id == product_id) & ghosts.retired_at.is_(None)
    count = connection.execute(select(func.count()).where(in_use)).scalar_one()
    if count < limit:
        return []
    oldest = select(ghost_variants).where(in_use, ghosts.last_used_at < unused_since).order_by(ghosts.last_used_at)
    return connection.execute(oldest.limit(count - limit + limit // 10)).all()


def _retire(connection: Connection, ghost_ids: Sequence[int], unused_since: int, now: int) -> set[int]:
    """The ids of those that are retired."""
    ghosts = ghost_variants.c
    unused = ghosts.id.in_(ghost_ids) & (ghosts.last_used_at < unused_since)
    retired = update(ghost_variants).where(unused).values(retired_at=now).returning(ghosts.id)
    return set(connection.execute(retired).scalars())


def revive(connection: Connection, shop_id: int, ghost: Ghost) -> None:
    """Take back that a ghost was retired, unless another one is in use for the same by now."""
    if ghost_in_use(connection, shop_id, ghost.identity) is None:
        mine = (ghost_variants.c.shop_id == shop_id) & (ghost_variants.c.variant_id == ghost.variant_id)
        connection.execute(update(ghost_variants).where(mine).values(retired_at=None))


def _ghost(row: Row[Any]) -> Ghost:
    return Ghost(row.identity, row.product_id, row.variant_id, row.confirmed_at)
