"""Reads the content of a published revision: the live content, with all changes of later revisions undone."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, select

from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.revisions.items import SHOP, THE_SHOP, ItemName
from bundlesvc.domain.revisions.unversioned_fields import with_unversioned_fields
from bundlesvc.domain.shop import Shop, Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.storage.catalogue.generations import of_shop
from bundlesvc.storage.catalogue.shop_differences import KINDS
from bundlesvc.storage.catalogue.shop_files import stored_shop
from bundlesvc.storage.catalogue.shops import tenant_of
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.tables import draft_items, past_items, shops
from bundlesvc.storage.revisions.packing import unpack_document

_ROWS = past_items.c
_KIND_OF = {kind.key.table.name: kind for kind in KINDS}


def shop_at(connection: Connection, tenant: Tenant, position: int) -> ShopFile:
    """Return the shop as of the revision at a position. Raises NotFound when the shop no longer exists, and DocumentDamaged."""
    live = stored_shop(connection, tenant.shop.handle)
    if live is None:
        raise NotFound
    past = _past(connection, tenant.id, position)
    if not past:
        return live
    made = {kind: _with_past(kind, getattr(live, kind), past) for kind in _KIND_OF}
    shop = live.shop if THE_SHOP not in past else with_unversioned_fields(_part(SHOP, past[THE_SHOP]), live.shop)
    return ShopFile(shop, **made)


def part_at(connection: Connection, tenant: Tenant, position: int, item: ItemName) -> Any:
    """Return an item of the shop as of the revision at a position; None when that revision does not contain the item. Raises
    DocumentDamaged."""
    wanted = select(_ROWS.document).where(
        _ROWS.shop_id == tenant.id, _ROWS.position >= position, _ROWS.kind == item.kind, _ROWS.name == item.name
    )
    row = connection.execute(wanted.order_by(_ROWS.position).limit(1)).first()
    live = live_part(connection, tenant, item)
    if row is None:
        return live
    part = _part(item.kind, row.document)
    return part if live is None else with_unversioned_fields(part, live)


def live_part(connection: Connection, tenant: Tenant, item: ItemName) -> Any:
    """Return an item of the live shop; None when it does not exist. Raises NotFound when the shop no longer exists, and
    DocumentDamaged."""
    if item == THE_SHOP:
        row = connection.execute(select(shops).where(shops.c.id == tenant.id)).first()
        if row is None:
            raise NotFound
        return tenant_of(row).shop
    key = _KIND_OF[item.kind].key
    query = select(key.table.c.document).where(of_shop(key.table, tenant.id), key == item.value)
    document = connection.execute(query).scalar()
    return None if document is None else from_document(document, _KIND_OF[item.kind].shape)


def last_number(connection: Connection, shop_id: int, kind: str) -> int:
    """Return the highest number ever used for an item of this kind, in any revision; 0 when no number was used."""
    key = _KIND_OF[kind].key
    last = connection.execute(select(func.max(key)).where(of_shop(key.table, shop_id))).scalar() or 0
    for table in (draft_items, past_items):
        names = select(table.c.name).distinct().where(table.c.shop_id == shop_id, table.c.kind == kind)
        last = max(last, *map(int, connection.execute(names).scalars()), 0)
    return int(last)


def _past(connection: Connection, shop_id: int, position: int) -> dict[ItemName, bytes | None]:
    """Return the items that later revisions have changed, as they were in the revision at `position`."""
    rows = connection.execute(
        select(_ROWS.kind, _ROWS.name, _ROWS.document)
        .where(_ROWS.shop_id == shop_id, _ROWS.position >= position)
        .order_by(_ROWS.position.desc())
    )
    return {ItemName(row.kind, row.name): row.document for row in rows}  # the earliest change to an item counts


def _with_past(kind: str, live: tuple[Any, ...], past: Mapping[ItemName, bytes | None]) -> tuple[Any, ...]:
    name = _KIND_OF[kind].key.name
    parts = {ItemName(kind, str(getattr(part, name))): part for part in live}
    for item, packed in past.items():
        if item.kind != kind:
            continue
        part = _part(kind, packed)
        if part is None:
            parts.pop(item, None)
        else:
            parts[item] = with_unversioned_fields(part, parts.get(item))
    return tuple(parts[item] for item in sorted(parts, key=lambda each: each.value))


def _part(kind: str, packed: bytes | None) -> Any:
    """Unpack an item from the table of past items; None when the item did not exist. Raises DocumentDamaged."""
    return None if packed is None else from_document(unpack_document(packed), shape_of(kind))


def shape_of(kind: str) -> Any:
    """Return the dataclass for items of this kind."""
    return Shop if kind == SHOP else _KIND_OF[kind].shape
