"""The database rows that store revisions."""

from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, insert, select

from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.revisions.revision import LIVE, UPGRADE, Revision
from bundlesvc.storage.database.tables import shop_revisions

_FIELDS = [field.name for field in fields(Revision)]
_ROWS = shop_revisions.c


def revision_of(row: Row[Any]) -> Revision:
    return Revision(**{name: getattr(row, name) for name in _FIELDS})


def row_values(revision: Revision) -> dict[str, Any]:
    return {name: getattr(revision, name) for name in _FIELDS}


def is_revision(shop_id: int, number: int | None) -> ColumnElement[bool]:
    """Return the condition for the revision with this number; with None, for the live revision."""
    named = _ROWS.state == LIVE if number is None else _ROWS.number == number
    return (_ROWS.shop_id == shop_id) & named


def find_row(connection: Connection, shop_id: int, number: int | None) -> Row[Any]:
    """Return the row of the revision with this number; with None, the row of the live revision. Raises NotFound."""
    row = connection.execute(select(shop_revisions).where(is_revision(shop_id, number))).first()
    if row is None:
        raise NotFound
    return row


def live_number(connection: Connection, shop_id: int) -> int | None:
    """Return the number of the live revision; None when the shop has none."""
    return connection.execute(select(_ROWS.number).where(is_revision(shop_id, None))).scalar()


def next_number(connection: Connection, shop_id: int) -> int:
    """Return the number for a new revision. The shop must be locked."""
    last = connection.execute(select(func.max(_ROWS.number)).where(_ROWS.shop_id == shop_id)).scalar()
    return (last or 0) + 1


def live_row(connection: Connection, shop_id: int, now: int) -> Row[Any]:
    """Return the row of the live revision. If the shop was stored by an older version of the service, create its first revision.
    The shop must be locked."""
    query = select(shop_revisions).where(is_revision(shop_id, None))
    row = connection.execute(query).first()
    if row is None:
        number = next_number(connection, shop_id)
        first = Revision(number, LIVE, None, "", UPGRADE, "", now, version=1, published_at=now)
        connection.execute(insert(shop_revisions).values(shop_id=shop_id, position=1, **row_values(first)))
        row = connection.execute(query).one()
    return row
