"""What ghost variants depend on, and marking those that a change or an order concerns.

Marking too many is harmless: the upkeep checks them, and those whose promise holds are live again.
"""

from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, true, update

from bundlesvc.domain.platform_change import BUNDLE, MARKETS, SHOP_SETTINGS, Change
from bundlesvc.storage.locks import take_turns
from bundlesvc.storage.tables import ghost_subjects, ghost_variants

WHOLE = (SHOP_SETTINGS, MARKETS)
"""Changes that concern every ghost variant of a shop."""

PART = 500
"""Ids in one statement: both databases have a limit."""


def add_subjects(connection: Connection, shop_id: int, ghost_id: int, subjects: Collection[Change]) -> None:
    """Add those that are not there yet."""
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
    """A ghost that left the platform needs no more checks; which bundle it was for stays known."""
    subjects = ghost_subjects.c
    connection.execute(delete(ghost_subjects).where(subjects.ghost_id.in_(ghost_ids), subjects.kind != BUNDLE))


def mark_ghosts(connection: Connection, shop_id: int, changes: Collection[Change]) -> None:
    """Mark the ghost variants in use that these changes concern; the upkeep checks them next. Whoever is checking one of them
    at this moment has lost its claim: what it read may be older than the change."""
    conditions = list(_conditions(shop_id, changes))
    if not conditions:
        return
    take_turns(connection, shop_id)
    ghosts = ghost_variants.c
    in_use = (ghosts.shop_id == shop_id) & ghosts.retired_at.is_(None)
    unmarked = or_(~ghosts.marked, ghosts.claim.is_not(None), ghosts.check_at > 0)
    marked = {"marked": True, "claim": None, "check_at": 0}
    for condition in conditions:
        connection.execute(update(ghost_variants).where(in_use, unmarked, condition).values(marked))


def mark_bought(connection: Connection, shop_id: int, variant_ids: Collection[int], now: int) -> None:
    """Remember which of these variants are ghosts: they were bought."""
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
        for part in (ids[start : start + PART] for start in range(0, len(ids), PART)):
            mine = (subjects.shop_id == shop_id) & (subjects.kind == kind) & subjects.subject_id.in_(part)
            yield ghost_variants.c.id.in_(select(subjects.ghost_id).where(mine))
