"""Stores and reads the items that drafts change."""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from bundlesvc.domain.revisions.items import DraftItem, ItemName
from bundlesvc.storage.database.tables import draft_items
from bundlesvc.storage.revisions.packing import pack_item, unpack_item

_ROWS = draft_items.c


def find_draft(connection: Connection, shop_id: int, revision: int, item: ItemName | None = None) -> list[DraftItem]:
    """Return the items that a draft changes, limited to `item` if it is given. Raises DocumentDamaged."""
    query = select(draft_items).where(_of(shop_id, revision)).order_by(_ROWS.kind, _ROWS.name)
    if item is not None:
        query = query.where(_is(item))
    return [
        DraftItem(ItemName(row.kind, row.name), unpack_item(row.base), unpack_item(row.document))
        for row in connection.execute(query)
    ]


def store_draft(connection: Connection, shop_id: int, revision: int, draft: Iterable[DraftItem]) -> None:
    """Store items of a draft, replacing their earlier states. An item that equals its base is no longer a change, so it is
    removed from the draft."""
    rows = []
    for each in draft:
        connection.execute(delete(draft_items).where(_of(shop_id, revision), _is(each.item)))
        if each.document != each.base:
            documents = {"base": pack_item(each.base), "document": pack_item(each.document)}
            rows.append({"shop_id": shop_id, "revision": revision, **each.item._asdict(), **documents})
    if rows:
        connection.execute(insert(draft_items), rows)


def _of(shop_id: int, revision: int) -> ColumnElement[bool]:
    return (_ROWS.shop_id == shop_id) & (_ROWS.revision == revision)


def _is(item: ItemName) -> ColumnElement[bool]:
    return (_ROWS.kind == item.kind) & (_ROWS.name == item.name)
