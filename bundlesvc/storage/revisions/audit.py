"""The audit log in the database. An entry is added in the same transaction as the change, and is never modified."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from bundlesvc.domain.revisions.audit import EDIT, AuditEntry, AuditFilter, LoggedChange, logged
from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.plain import ABSENT
from bundlesvc.domain.revisions.revision import Act
from bundlesvc.storage.database.noting import Note
from bundlesvc.storage.database.tables import audit_entries
from bundlesvc.storage.revisions.packing import pack, unpack

_ROWS = audit_entries.c


def add_entry(
    connection: Connection, shop_id: int, act: Act, action: str, revision: int | None, changes: Iterable[Change] = ()
) -> None:
    """Add an entry to a shop's audit log."""
    named, complete = logged(changes)
    values = {
        "shop_id": shop_id,
        "at": act.now,
        "actor": act.actor.name,
        "origin": act.actor.origin,
        "action": action,
        "revision": revision,
        "changes": pack([list(change) for change in named]),
        "complete": complete,
    }
    connection.execute(insert(audit_entries).values(values))


def noted_as(action: str, act: Act) -> Note:
    """Return a function that records changes to keys and webhooks as entries in the audit log."""

    def note(connection: Connection, shop_id: int, path: Sequence[str], before: Any, after: Any) -> None:
        values = [ABSENT if value is None else value for value in (before, after)]
        add_entry(connection, shop_id, act, action, None, [Change(tuple(path), *values)])

    return note


def find_entries(connection: Connection, shop_id: int, wanted: AuditFilter) -> Sequence[AuditEntry]:
    """Return the entries that match a filter, newest first. Raises DocumentDamaged."""
    query = select(audit_entries).where(_ROWS.shop_id == shop_id)
    if wanted.since is not None:
        query = query.where(_ROWS.at >= wanted.since)
    if wanted.before is not None:
        query = query.where(_ROWS.id < wanted.before)
    rows = connection.execute(query.order_by(_ROWS.id.desc()).limit(wanted.limit))
    return [_entry(row) for row in rows]


def find_editors(connection: Connection, shop_id: int, revision: int) -> Collection[str]:
    """Return the names of everyone who has edited a draft."""
    edits = (_ROWS.shop_id == shop_id) & (_ROWS.revision == revision) & (_ROWS.action == EDIT)
    return {*connection.scalars(select(_ROWS.actor).where(edits))}


def _entry(row: Row[Any]) -> AuditEntry:
    changes = tuple(LoggedChange(*change) for change in unpack(row.changes))
    return AuditEntry(row.id, row.at, row.actor, row.origin, row.action, row.revision, changes, row.complete)
