"""Preserves content that is replaced by a write to a shop, by copying it to the table of past items."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from bundlesvc.batches import batches
from bundlesvc.domain.revisions.audit import MAX_CHANGES
from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.items import THE_SHOP, ItemName
from bundlesvc.domain.revisions.unversioned_fields import is_versioned_change
from bundlesvc.domain.shop import Shop
from bundlesvc.storage.catalogue.generations import of_shop
from bundlesvc.storage.catalogue.shop_differences import Difference, Outdated
from bundlesvc.storage.database.damage import DocumentDamaged
from bundlesvc.storage.database.documents import from_document, to_document
from bundlesvc.storage.database.tables import past_items
from bundlesvc.storage.revisions.packing import pack_document

PART = 500
"""The number of items to read and copy at a time."""

Describe = Callable[[ItemName, Any, Any], Iterable[Change]]
"""A function that lists the differences between two states of an item; a state is None when the item does not exist."""

_ROWS = past_items.c


class ReplacedItems:
    """The items that a write replaces. Collects changes for the audit log until there are more than `MAX_CHANGES`, and records in
    `is_versioned` whether the write changes anything besides stock and the shop's enabled state."""

    def __init__(self, describe: Describe) -> None:
        self._describe = describe
        self.changes: list[Change] = []
        self.is_versioned = False

    def copy(self, connection: Connection, shop_id: int, position: int, part: Outdated, names: Sequence[Any]) -> None:
        """Copy the items with these names to the past items of the revision at `position`, replacing any copies already stored
        there."""
        kind = part.new.kind
        key, shape = kind.key, kind.shape
        rows = connection.execute(select(key, key.table.c.document).where(of_shop(key.table, shop_id), key.in_(names)))
        documents = {row[0]: row[1] for row in rows}
        past: dict[ItemName, bytes | None] = {}
        for name in names:
            item = ItemName(key.table.name, str(name))
            document, new = documents.get(name), part.new.items.get(name)
            old = None if document is None else _readable(document, shape)
            self.note(item, old, new)
            if document is None:
                past[item] = None
            elif old is None:  # the old document is damaged, so nothing from it can be stored
                self.is_versioned = True
            elif new is None or is_versioned_change(old, new):
                past[item] = pack_document(document)
        self._store(connection, shop_id, position, past)

    def copy_shop(self, connection: Connection, shop_id: int, position: int, old: Shop, new: Shop) -> None:
        """Store a copy of the old shop-level settings if the new ones differ."""
        self.note(THE_SHOP, old, new)
        if is_versioned_change(old, new):
            self._store(connection, shop_id, position, {THE_SHOP: pack_document(to_document(old))})

    def note(self, item: ItemName, old: Any, new: Any) -> None:
        """Collect the changes to an item for the audit log."""
        if len(self.changes) <= MAX_CHANGES:
            self.changes += self._describe(item, old, new)

    def add(self, other: "ReplacedItems") -> None:
        """Add the items replaced by another batch of the same write."""
        self.changes += other.changes[: MAX_CHANGES + 1 - len(self.changes)]
        self.is_versioned |= other.is_versioned

    def _store(self, connection: Connection, shop_id: int, position: int, past: dict[ItemName, bytes | None]) -> None:
        if not past:
            return
        self.is_versioned = True
        own = (_ROWS.shop_id == shop_id) & (_ROWS.position == position)
        for item in past:
            connection.execute(delete(past_items).where(own, _ROWS.kind == item.kind, _ROWS.name == item.name))
        rows = [
            {"shop_id": shop_id, "position": position, **item._asdict(), "document": document}
            for item, document in past.items()
        ]
        connection.execute(insert(past_items), rows)


def parts_of(difference: Difference) -> Iterator[tuple[Outdated, Sequence[Any]]]:
    """Yield the names of the items that a difference replaces, in batches. Each batch comes with its part of the difference."""
    for part in difference.parts:
        for names in batches(list(part.names), PART):
            yield part, list(names)


def _readable(document: str, shape: Any) -> Any:
    """Parse the item in a document; None when the document is damaged."""
    with suppress(DocumentDamaged):
        return from_document(document, shape)
    return None
