"""Whole shops, written and read as shop files describe them (docs/contract.md#shop-file)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import Column, Connection, Table, delete, insert, select, update

from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.platform_change import BUNDLE, MARKETS, PRODUCT, SHOP_SETTINGS, Change
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Market, Shop
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.storage.database import Database
from bundlesvc.storage.ghosts import PART, mark_ghosts
from bundlesvc.storage.shop_ids import new_shop_id
from bundlesvc.storage.shops import tenant_of
from bundlesvc.storage.tables import (
    bundles,
    experiments,
    from_document,
    markets,
    products,
    shops,
    to_document,
    variants,
)


class SqlShopFileStore:
    """The port `ShopFileStore` over the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def stored(self, handle: str) -> ShopFile | None:
        return await self._database.read(lambda connection: _stored(connection, handle))

    async def replace(self, shop_file: ShopFile) -> bool:
        new = [_New.of(kind, shop_file) for kind in _KINDS]
        if await self._database.read(lambda connection: _is_stored(connection, shop_file.shop, new)):
            return False
        await self._database.write(lambda connection: _replace(connection, shop_file, new))
        return True


def _stored(connection: Connection, handle: str) -> ShopFile | None:
    row = connection.execute(select(shops).where(shops.c.handle == handle)).first()
    if row is None:
        return None

    def documents(table: Table) -> Iterable[str]:
        order = [column for column in table.primary_key.columns if column is not table.c.shop_id]
        query = select(table.c.document).where(table.c.shop_id == row.id).order_by(*order)
        return connection.execute(query).scalars()

    return ShopFile(
        shop=tenant_of(row).shop,
        markets=tuple(from_document(document, Market) for document in documents(markets)),
        products=tuple(from_document(document, Product) for document in documents(products)),
        bundles=tuple(from_document(document, Bundle) for document in documents(bundles)),
        experiments=tuple(from_document(document, Experiment) for document in documents(experiments)),
    )


@dataclass(frozen=True, slots=True)
class _Kind:
    """A list of a shop file: the column with the names of its items, the other columns, and what a difference changes."""

    key: Column[Any]
    shape: type[Any]
    items: Callable[[ShopFile], Sequence[Any]]
    columns: tuple[str, ...]
    changes: Callable[[Collection[Any]], list[Change]]


_KINDS = (
    _Kind(markets.c.country_code, Market, lambda file: file.markets, (), lambda _: [Change(MARKETS)]),
    _Kind(
        products.c.id,
        Product,
        lambda file: file.products,
        ("handle",),
        lambda ids: [Change(PRODUCT, id_) for id_ in ids],
    ),
    _Kind(
        bundles.c.id,
        Bundle,
        lambda file: file.bundles,
        ("published", "product_id"),
        lambda ids: [Change(BUNDLE, id_) for id_ in ids],
    ),
    _Kind(experiments.c.id, Experiment, lambda file: file.experiments, ("bundle_id",), lambda _: []),
)


@dataclass(frozen=True, slots=True)
class _New:
    """The items of one kind in a file, and their documents, by name."""

    kind: _Kind
    items: Mapping[Any, Any]
    documents: Mapping[Any, str]

    @classmethod
    def of(cls, kind: _Kind, shop_file: ShopFile) -> Self:
        items = {getattr(item, kind.key.name): item for item in kind.items(shop_file)}
        return cls(kind, items, {name: to_document(item) for name, item in items.items()})

    def outdated(self, connection: Connection, shop_id: int) -> Mapping[Any, bool]:
        """The names of items that are stored, but different or gone in the file (True), and of new ones (False).

        Documents can differ where items do not, because amounts may be written with more or fewer zeros.
        """
        key, new = self.kind.key, dict.fromkeys(self.items, False)
        outdated = {}
        stored = select(key, key.table.c.document).where(key.table.c.shop_id == shop_id)
        for name, document in connection.execute(stored):
            is_gone = new.pop(name, None) is None
            if is_gone or self._differs(name, document):
                outdated[name] = True
        return outdated | new

    def _differs(self, name: Any, document: str) -> bool:
        return self.documents[name] != document and self.items[name] != from_document(document, self.kind.shape)

    def row(self, name: Any) -> Mapping[str, Any]:
        columns = {column: getattr(self.items[name], column) for column in self.kind.columns}
        return {self.kind.key.name: name, "document": self.documents[name], **columns}


def _is_stored(connection: Connection, shop: Shop, new: Sequence[_New]) -> bool:
    row = connection.execute(select(shops).where(shops.c.handle == shop.handle)).first()
    if row is None or tenant_of(row).shop != shop:
        return False
    return not any(part.outdated(connection, row.id) for part in new)


def _replace(connection: Connection, shop_file: ShopFile, new: Sequence[_New]) -> None:
    """Write what is different, and mark the ghost variants that depend on it.

    The row of the shop comes first: it makes other writers of the same shop wait.
    """
    settings = connection.execute(select(shops.c.document).where(shops.c.handle == shop_file.shop.handle)).scalar()
    shop_id = _write_shop(connection, shop_file.shop)
    changes = [] if settings == to_document(shop_file.shop) else [Change(SHOP_SETTINGS)]
    for part in new:
        outdated = part.outdated(connection, shop_id)
        stored = [name for name, is_stored in outdated.items() if is_stored]
        _write_rows(
            connection, part.kind.key, shop_id, stored, [part.row(name) for name in outdated if name in part.items]
        )
        changes += part.kind.changes(outdated) if outdated else []
    _write_variants(connection, shop_id, shop_file)
    mark_ghosts(connection, shop_id, changes)


def _write_shop(connection: Connection, shop: Shop) -> int:
    values = {"headless_enabled": shop.headless_enabled, "document": to_document(shop)}
    row = connection.execute(select(shops.c.id).where(shops.c.handle == shop.handle)).first()
    if row is None:
        values |= {"handle": shop.handle, "revision": 1, **new_shop_id(connection)}
        made = connection.execute(insert(shops).values(values).returning(shops.c.id))
        return int(made.scalar_one())
    raised = {"revision": shops.c.revision + 1, **values}
    connection.execute(update(shops).where(shops.c.id == row.id).values(raised))
    return int(row.id)


def _write_variants(connection: Connection, shop_id: int, shop_file: ShopFile) -> None:
    new = {variant.id: product.id for product in shop_file.products for variant in product.variants}
    stored = connection.execute(select(variants.c.id, variants.c.product_id).where(variants.c.shop_id == shop_id))
    outdated = []
    for id_, product_id in stored:
        if new.get(id_) == product_id:
            del new[id_]
        else:
            outdated.append(id_)
    rows = [{"id": id_, "product_id": product_id} for id_, product_id in new.items()]
    _write_rows(connection, variants.c.id, shop_id, outdated, rows)


def _write_rows(
    connection: Connection, key: Column[Any], shop_id: int, outdated: Sequence[Any], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Remove the rows with these names, then add these rows."""
    table = key.table
    for start in range(0, len(outdated), PART):
        gone = key.in_(outdated[start : start + PART])
        connection.execute(delete(table).where(table.c.shop_id == shop_id, gone))
    if rows:
        connection.execute(insert(table), [{"shop_id": shop_id, **row} for row in rows])
