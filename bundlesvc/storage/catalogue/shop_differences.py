"""The differences between a shop file and the stored shop: rows to remove, and rows to insert."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from sqlalchemy import Column, Connection, Row, select

from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.live_platform.platform_change import BUNDLE, PRODUCT, SHOP_SETTINGS, Change
from bundlesvc.domain.live_platform.platform_change import MARKETS as MARKETS_CHANGED
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Market, Shop
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.storage.catalogue.generations import is_loaded, of_shop
from bundlesvc.storage.catalogue.shops import tenant_of
from bundlesvc.storage.database.damage import DocumentDamaged
from bundlesvc.storage.database.documents import from_document, to_document
from bundlesvc.storage.database.tables import bundles, experiments, markets, products, shops, variants

SMALL_ROWS, SMALL_BYTES = 2_000, 4_000_000
"""The maximum number of rows to write in one transaction, and of bytes in their documents. Other writers wait for the
transaction."""

_READ_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of item in a shop file: the column that identifies an item, the other columns, and the changes that result from a
    difference."""

    key: Column[Any]
    shape: type[Any]
    items: Callable[[ShopFile], Sequence[Any]]
    columns: tuple[str, ...]
    changes: Callable[[Collection[Any]], list[Change]]


MARKETS = Kind(markets.c.country_code, Market, lambda file: file.markets, (), lambda _: [Change(MARKETS_CHANGED)])
PRODUCTS = Kind(
    products.c.id, Product, lambda file: file.products, ("handle",), lambda ids: [Change(PRODUCT, id_) for id_ in ids]
)
BUNDLES = Kind(
    bundles.c.id,
    Bundle,
    lambda file: file.bundles,
    ("published", "product_id", "begins_at", "ends_at"),
    lambda ids: [Change(BUNDLE, id_) for id_ in ids],
)
EXPERIMENTS = Kind(experiments.c.id, Experiment, lambda file: file.experiments, ("bundle_id",), lambda _: [])
KINDS = (MARKETS, PRODUCTS, BUNDLES, EXPERIMENTS)


@dataclass(frozen=True, slots=True)
class Items:
    """The shop's items of one kind, such as its products, by name."""

    kind: Kind
    items: Mapping[Any, Any]

    @classmethod
    def of(cls, kind: Kind, items: Iterable[Any]) -> Self:
        return cls(kind, {getattr(item, kind.key.name): item for item in items})

    def document(self, name: Any) -> str:
        """Return the JSON document of an item. It is computed each time, because all documents together take as much memory as
        the shop file."""
        return to_document(self.items[name])

    def differs(self, name: Any, document: str) -> bool:
        """Whether the item differs from the stored item, or the stored item is damaged. Equal items may have different documents,
        because amounts can be written with more or fewer zeros."""
        if self.document(name) == document:
            return False
        try:
            return bool(self.items[name] != from_document(document, self.kind.shape))
        except DocumentDamaged:
            return True

    def rows(self, names: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
        for name in names:
            columns = {column: getattr(self.items[name], column) for column in self.kind.columns}
            yield {self.kind.key.name: name, "document": self.document(name), **columns}


@dataclass(frozen=True, slots=True)
class Outdated:
    """The difference between the stored rows and the new items of one kind: the keys of the rows to remove, and of the items to
    insert."""

    new: Items
    gone: Sequence[Any]
    added: Sequence[Any]

    @property
    def names(self) -> Collection[Any]:
        return {**dict.fromkeys(self.gone), **dict.fromkeys(self.added)}.keys()


@dataclass(frozen=True, slots=True)
class Difference:
    """The changes to make to a shop. They apply only while the shop has this `revision`, which is None for a new shop. `shop` is
    None when the shop's own row does not change."""

    handle: str
    revision: int | None
    shop: Shop | None
    parts: Sequence[Outdated]
    variants_gone: Sequence[int] = ()
    variants_added: Mapping[int, int] = field(default_factory=dict)
    """The product id of each added variant, by variant id."""
    settings_changed: bool = False

    @property
    def is_empty(self) -> bool:
        return self.shop is None and not any(part.names for part in self.parts)

    @property
    def is_small(self) -> bool:
        rows = sum(len(part.names) for part in self.parts) + len(self.variants_gone) + len(self.variants_added)
        written = (len(part.new.document(name)) for part in self.parts for name in part.added)
        return rows <= SMALL_ROWS and sum(written) <= SMALL_BYTES

    @property
    def changes(self) -> list[Change]:
        changes = [Change(SHOP_SETTINGS)] if self.settings_changed else []
        for part in self.parts:
            changes += part.new.kind.changes(part.names) if part.names else []
        return changes


def variants_of(items: Iterable[Product]) -> dict[int, int]:
    """Return the product id of each variant, by variant id."""
    return {variant.id: product.id for product in items for variant in product.variants}


def with_difference(shop_file: ShopFile, difference: Difference) -> ShopFile:
    """Return the shop with its changed products and markets replaced by the versions in the difference."""
    new = {part.new.kind: part.new.items for part in difference.parts}
    return replace(
        shop_file,
        products=tuple(new.get(PRODUCTS, {}).get(product.id, product) for product in shop_file.products),
        markets=tuple(new.get(MARKETS, {}).get(market.country_code, market) for market in shop_file.markets),
    )


def compared(connection: Connection, shop: Shop, new: Iterable[Items]) -> Difference | None:
    """Compare these items with all stored items of the shop. A damaged row counts as different. Returns None when the shop was
    changed in the meantime."""
    row = connection.execute(select(shops).where(shops.c.handle == shop.handle)).first()
    if row is None or not is_loaded(row.generation):
        parts = [Outdated(items, [], list(items.items)) for items in new]
        return Difference(shop.handle, None, shop, parts, (), _new_variants(parts), settings_changed=True)
    gone: dict[int, int] = {}
    parts = [_outdated(connection, row.id, items, gone) for items in new]
    added = _new_variants(parts)
    if not is_unchanged(connection, row):
        return None
    return Difference(
        shop.handle,
        row.revision,
        None if _is_same(row, shop) else shop,
        parts,
        [id_ for id_, product in gone.items() if added.get(id_) != product],
        {id_: product for id_, product in added.items() if gone.get(id_) != product},
        settings_changed=row.document != to_document(shop),
    )


def _is_same(row: Row[Any], shop: Shop) -> bool:
    try:
        return bool(tenant_of(row).shop == shop)
    except DocumentDamaged:
        return False


def is_unchanged(connection: Connection, shop: Row[Any]) -> bool:
    """Whether the shop still has the revision in this row, which means that all data read since the row was read is
    consistent."""
    query = select(shops.c.revision).where(shops.c.id == shop.id)
    return bool(connection.execute(query).scalar() == shop.revision)


def _outdated(connection: Connection, shop_id: int, new: Items, variants_gone: dict[int, int]) -> Outdated:
    """Find the stored items that have changed or are no longer in the file, and the items to insert. Adds the variants of the
    outdated products to `variants_gone`."""
    gone: list[Any] = []
    added = dict.fromkeys(new.items)
    for name, document in _stored_rows(connection, shop_id, new.kind):
        is_gone = name not in new.items
        if not is_gone and not new.differs(name, document):
            del added[name]
            continue
        gone.append(name)
        if new.kind is PRODUCTS:
            variants_gone |= _stored_variants(connection, shop_id, name, document)
    return Outdated(new, gone, list(added))


def _stored_variants(connection: Connection, shop_id: int, product_id: int, document: str) -> dict[int, int]:
    """Return the product id of each variant of a stored product, by variant id. If the product's document is damaged, the
    variants are read from their own table."""
    try:
        return variants_of([from_document(document, Product)])
    except DocumentDamaged:
        mine = of_shop(variants, shop_id) & (variants.c.product_id == product_id)
        return dict.fromkeys(connection.execute(select(variants.c.id).where(mine)).scalars(), product_id)


def _stored_rows(connection: Connection, shop_id: int, kind: Kind) -> Iterator[tuple[Any, str]]:
    """Yield the key and document of every stored item of a kind. The rows are read in batches, because all of them together would
    take as much memory as the shop file."""
    query = select(kind.key, kind.key.table.c.document).where(of_shop(kind.key.table, shop_id)).order_by(kind.key)
    part = connection.execute(query.limit(_READ_AT_ONCE)).all()
    while part:
        yield from ((row[0], row[1]) for row in part)
        part = connection.execute(query.where(kind.key > part[-1][0]).limit(_READ_AT_ONCE)).all()


def _new_variants(parts: Sequence[Outdated]) -> dict[int, int]:
    return {
        id_: product
        for part in parts
        if part.new.kind is PRODUCTS
        for id_, product in variants_of(part.new.items[name] for name in part.added).items()
    }
