"""Records of ghost variants: which ghost variant is in use for each identity, and what each ghost variant depends on. When
something changes, the ghost variants that it affects are marked for a check.

Marking too many ghost variants is harmless, because a background task checks them and keeps those whose promise is still valid.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, or_, select, true, update

from bundlesvc.batches import batches
from bundlesvc.domain.ghosts.variant import Ghost
from bundlesvc.domain.live_platform.platform_change import BUNDLE, MARKETS, SHOP_SETTINGS, Change
from bundlesvc.ports import GhostRetired
from bundlesvc.storage.database.tables import configured_bundles, ghost_subjects, ghost_variants
from bundlesvc.storage.database.transaction import lock_shop

GONE_SECONDS = 10 * 60
"""Seconds for which the platform may still show a variant after its removal. A variant that is shown for longer was not
removed."""

CHECK_EVERY = 24 * 60 * 60
"""Seconds between two routine checks of a ghost variant."""

CHECK_AFTER_DOUBT = 10 * 60
"""Seconds until a marked ghost variant is checked after configure has renewed its promise, because configure may have read a
price from before the change."""


WHOLE = (SHOP_SETTINGS, MARKETS)
"""Kinds of changes that concern every ghost variant of a shop."""

PART = 500
"""The maximum number of ids in one statement. Both databases have a limit."""


def ghost_in_use(connection: Connection, shop_id: int, identity: str) -> Ghost | None:
    """Return the ghost variant in use that has this identity; None when there is none."""
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


def newest_numbers(ghosts: ColumnElement[bool]) -> Select[tuple[int | None]]:
    """Select the row number of the newest configured bundle of each of these ghost variants. Finding each number takes a single
    index look-up, however many configured bundles the ghost variant has."""
    made = configured_bundles.alias().c
    of_ghost = (made.shop_id == ghost_variants.c.shop_id) & (made.variant_id == ghost_variants.c.variant_id)
    newest = select(func.max(made.number)).where(of_ghost).correlate(ghost_variants).scalar_subquery()
    return select(newest).select_from(ghost_variants).where(ghosts)


def use_ghost(connection: Connection, shop_id: int, ghost: Ghost, now: int) -> int:
    """Return the variant to put into the cart. If the variant in use no longer exists on the platform, `ghost` replaces it.
    Raises GhostRetired when a different variant is in use, because only that variant has the prices that were promised for
    markets."""
    there = _row_in_use(connection, shop_id, ghost.identity)
    if there is not None and there.variant_id != ghost.variant_id and there.confirmed_at < ghost.confirmed_at:
        _change_in_use(connection, there.id, retired_at=now, check_at=now, claim=None)
        there = None
    if there is None:
        _take_into_use(connection, shop_id, ghost, now)
        return ghost.variant_id
    if there.variant_id != ghost.variant_id:
        raise GhostRetired
    if there.last_used_at < now:  # at most once a second, so that simultaneous requests do not wait for each other
        _promise_again(connection, there, ghost, now)
    return ghost.variant_id


def _promise_again(connection: Connection, there: Row[Any], ghost: Ghost, now: int) -> None:
    values: dict[str, Any] = {"last_used_at": now, "confirmed_at": max(there.confirmed_at, ghost.confirmed_at)}
    if there.marked:
        values |= {"marked": False, "checked_at": now, "check_at": now + CHECK_AFTER_DOUBT, "claim": None}
    _change_in_use(connection, there.id, **values)
    add_subjects(connection, there.shop_id, there.id, ghost.subjects)


def _change_in_use(connection: Connection, ghost_id: int, **values: Any) -> None:
    """Change a ghost variant that is in use. Raises GhostRetired when it has just been retired."""
    in_use = (ghost_variants.c.id == ghost_id) & ghost_variants.c.retired_at.is_(None)
    if connection.execute(update(ghost_variants).where(in_use).values(values)).rowcount == 0:
        raise GhostRetired


def _take_into_use(connection: Connection, shop_id: int, ghost: Ghost, now: int) -> None:
    """Add a ghost variant, or reuse a retired one that is still on the platform. Raises GhostRetired when the retired one may be
    about to be removed from the platform."""
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
    """Return the SQL condition for retired ghost variants that will stay on the platform where they were found: they are not
    being removed, and have not just been removed."""
    ghosts = ghost_variants.c
    unclaimed = or_(ghosts.claim.is_(None), ghosts.check_at <= now)
    return unclaimed & or_(ghosts.gone_at.is_(None), ghosts.gone_at <= now - GONE_SECONDS)


def in_use_again(now: int, **values: int) -> dict[str, Any]:
    """Return the column values that put a retired ghost variant back into use."""
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


def add_subjects(connection: Connection, shop_id: int, ghost_id: int, subjects: Collection[Change]) -> None:
    """Store the subjects that a ghost variant depends on, except those that are already stored."""
    if not subjects:
        return
    query = select(ghost_subjects.c.kind, ghost_subjects.c.subject_id).where(ghost_subjects.c.ghost_id == ghost_id)
    there = {tuple(row) for row in connection.execute(query)}
    rows = [
        {"shop_id": shop_id, "kind": kind, "subject_id": subject, "ghost_id": ghost_id}
        for kind, subject in {(change.kind, change.id) for change in subjects} - there
    ]
    if rows:
        connection.execute(insert(ghost_subjects), rows)


def forget_subjects(connection: Connection, ghost_ids: Sequence[int]) -> None:
    """Delete the records of what these ghost variants depend on, except the records of their bundles. The variants have been
    removed from the platform, so they no longer need to be checked."""
    subjects = ghost_subjects.c
    connection.execute(delete(ghost_subjects).where(subjects.ghost_id.in_(ghost_ids), subjects.kind != BUNDLE))


def mark_ghosts(connection: Connection, shop_id: int, changes: Collection[Change]) -> None:
    """Mark the ghost variants in use that these changes affect, so that the maintenance job checks them next. A check in progress
    loses its claim, because its data may be older than the change."""
    conditions = list(_conditions(shop_id, changes))
    if not conditions:
        return
    lock_shop(connection, shop_id)
    ghosts = ghost_variants.c
    in_use = (ghosts.shop_id == shop_id) & ghosts.retired_at.is_(None)
    unmarked = or_(~ghosts.marked, ghosts.claim.is_not(None), ghosts.check_at > 0)
    marked = {"marked": True, "claim": None, "check_at": 0}
    for condition in conditions:
        connection.execute(update(ghost_variants).where(in_use, unmarked, condition).values(marked))


def mark_bought(connection: Connection, shop_id: int, variant_ids: Collection[int], now: int) -> None:
    """Record that the ghost variants among these variants were bought."""
    ghosts = ghost_variants.c
    mine = (ghosts.shop_id == shop_id) & ghosts.variant_id.in_(variant_ids)
    connection.execute(update(ghost_variants).where(mine).values(bought_at=now))


def _conditions(shop_id: int, changes: Collection[Change]) -> Iterator[ColumnElement[bool]]:
    if any(change.kind in WHOLE for change in changes):
        yield true()
        return
    subjects = ghost_subjects.c
    by_kind: dict[str, list[int]] = {}
    for change in changes:
        if change.id is not None:
            by_kind.setdefault(change.kind, []).append(change.id)
    for kind, ids in by_kind.items():
        for part in batches(ids, PART):
            mine = (subjects.shop_id == shop_id) & (subjects.kind == kind) & subjects.subject_id.in_(part)
            yield ghost_variants.c.id.in_(select(subjects.ghost_id).where(mine))
