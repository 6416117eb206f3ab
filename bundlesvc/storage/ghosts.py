"""Our own records of ghost variants: which is in use for what, and since when."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, insert, or_, select, update

from bundlesvc.domain.ghost_variant import Ghost
from bundlesvc.ports import GhostRetired
from bundlesvc.storage.ghost_subjects import add_subjects
from bundlesvc.storage.tables import ghost_variants

GONE_SECONDS = 10 * 60
"""Seconds for which the platform may still show a variant that it has removed. One that it shows later will stay."""

CHECK_EVERY = 24 * 60 * 60
"""Seconds between two checks of a ghost variant that nothing marked."""

CHECK_AFTER_DOUBT = 10 * 60
"""Seconds until a marked ghost is checked whose promise was made again: configure may have read a price from before the
change."""


def ghost_in_use(connection: Connection, shop_id: int, identity: str) -> Ghost | None:
    """The ghost in use for what it stands for."""
    row = _row_in_use(connection, shop_id, identity)
    return None if row is None else ghost_of(row)


def ghost_of(row: Row[Any]) -> Ghost:
    return Ghost(row.identity, row.product_id, row.variant_id, row.confirmed_at)


def _row_in_use(connection: Connection, shop_id: int, identity: str) -> Row[Any] | None:
    ghosts = ghost_variants.c
    query = select(ghost_variants).where(
        ghosts.shop_id == shop_id, ghosts.identity == identity, ghosts.retired_at.is_(None)
    )
    return connection.execute(query).first()


def use_ghost(connection: Connection, shop_id: int, ghost: Ghost, now: int) -> int:
    """The variant to put into the cart. One that the platform has no more gives way to the one that it has. Raises
    GhostRetired when another variant is in use: only that one has the prices that were promised in markets."""
    there = _row_in_use(connection, shop_id, ghost.identity)
    if there is not None and there.variant_id != ghost.variant_id and there.confirmed_at < ghost.confirmed_at:
        _change_in_use(connection, there.id, retired_at=now, check_at=now, claim=None)
        there = None
    if there is None:
        _take_into_use(connection, shop_id, ghost, now)
        return ghost.variant_id
    if there.variant_id != ghost.variant_id:
        raise GhostRetired
    if there.last_used_at < now:  # once a second: of many that use it at once, none waits for the others
        _promise_again(connection, there, ghost, now)
    return ghost.variant_id


def _promise_again(connection: Connection, there: Row[Any], ghost: Ghost, now: int) -> None:
    values: dict[str, Any] = {"last_used_at": now, "confirmed_at": max(there.confirmed_at, ghost.confirmed_at)}
    if there.marked:
        values |= {"marked": False, "checked_at": now, "check_at": now + CHECK_AFTER_DOUBT, "claim": None}
    _change_in_use(connection, there.id, **values)
    add_subjects(connection, there.shop_id, there.id, ghost.subjects)


def _change_in_use(connection: Connection, ghost_id: int, **values: Any) -> None:
    """Raises GhostRetired when it was retired a moment ago."""
    in_use = (ghost_variants.c.id == ghost_id) & ghost_variants.c.retired_at.is_(None)
    if connection.execute(update(ghost_variants).where(in_use).values(values)).rowcount == 0:
        raise GhostRetired


def _take_into_use(connection: Connection, shop_id: int, ghost: Ghost, now: int) -> None:
    """Add a ghost, or put one to use again that was retired and is still on the platform. Raises GhostRetired when it may be
    about to leave it."""
    ghosts = ghost_variants.c
    retired = (ghosts.shop_id == shop_id) & (ghosts.variant_id == ghost.variant_id) & ghosts.retired_at.is_not(None)
    revived = update(ghost_variants).where(retired, _stays(now)).values(in_use_again(now, last_used_at=now))
    ghost_id = connection.execute(revived.returning(ghosts.id)).scalar()
    if ghost_id is None:
        if connection.execute(select(ghosts.id).where(retired)).first() is not None:
            raise GhostRetired
        ghost_id = _add(connection, shop_id, ghost, now)
    add_subjects(connection, shop_id, ghost_id, ghost.subjects)


def _stays(now: int) -> ColumnElement[bool]:
    """Whether a retired ghost that the platform still has will stay there: nobody is removing it, or has just done so."""
    ghosts = ghost_variants.c
    unclaimed = or_(ghosts.claim.is_(None), ghosts.check_at <= now)
    return unclaimed & or_(ghosts.gone_at.is_(None), ghosts.gone_at <= now - GONE_SECONDS)


def in_use_again(now: int, **values: int) -> dict[str, Any]:
    """The columns of a retired ghost that is put to use again."""
    check_at = now + CHECK_AFTER_DOUBT
    return {"retired_at": None, "gone_at": None, "marked": False, "claim": None, "check_at": check_at, **values}


def _add(connection: Connection, shop_id: int, ghost: Ghost, now: int) -> int:
    row = {
        "shop_id": shop_id,
        "identity": ghost.identity,
        "product_id": ghost.product_id,
        "variant_id": ghost.variant_id,
        "last_used_at": now,
        "confirmed_at": ghost.confirmed_at,
        "checked_at": now,
        "check_at": now + CHECK_EVERY,
    }
    return int(connection.execute(insert(ghost_variants).values(row).returning(ghost_variants.c.id)).scalar_one())
