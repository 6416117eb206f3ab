"""Updates the stock and prices of individual variants, without loading the whole shop."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Column, Connection, select

from bundlesvc.batches import batches
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import LIVE_PLATFORMS, Market, Shop
from bundlesvc.domain.shop_files.catalogue_rows import (
    Catalogue,
    CatalogueRow,
    changed_markets,
    changed_products,
    row_faults,
)
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.storage.catalogue.generations import is_loaded, of_shop
from bundlesvc.storage.catalogue.journal import NO_JOURNAL, Journal
from bundlesvc.storage.catalogue.shop_differences import MARKETS, PRODUCTS, Difference, Items, Outdated, is_unchanged
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import tenant_of
from bundlesvc.storage.database.damage import documents_of
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import markets, products, shops, variants
from bundlesvc.storage.ghosts.records import PART


class ShopUnknown(Exception):
    """Raised when no shop has this handle."""


class ShopLive(Exception):
    """Raised when the shop's stock and prices are managed on its live platform."""


class RowsInvalid(Exception):
    """Raised when some rows refer to variants or markets that the shop does not have, or repeat an earlier row. `faults` contains
    the line number of each such row, with a message."""

    def __init__(self, faults: Sequence[tuple[int, str]]) -> None:
        super().__init__(faults)
        self.faults = faults


class SqlCatalogueUpdates:
    """Changes variants of a shop on the embedded platform. The journal records each write."""

    def __init__(self, database: Database, journal: Journal = NO_JOURNAL) -> None:
        self._database = database
        self._journal = journal

    async def apply(self, handle: str, rows: Sequence[CatalogueRow], *, dry_run: bool) -> tuple[ShopFile, ShopFile]:
        """Apply all rows in one transaction, and increment the shop's revision if anything changes; with `dry_run`, change
        nothing. Returns the affected products and markets, before and after the change. Raises ShopUnknown, ShopLive,
        RowsInvalid, ShopDeleted, DocumentDamaged, StorageUnavailable."""
        files = SqlShopFileStore(self._database, self._journal)
        while True:  # repeated when somebody else changes the shop between reading and writing
            with documents_of(handle):
                found = await self._database.read(lambda connection: _read(connection, handle, rows))
            if found is None:
                continue
            if faults := list(row_faults(rows, found.catalogue)):
                raise RowsInvalid(faults)
            before, after = _changes(found, rows)
            difference = Difference(handle, found.revision, None, [*_outdated(after)])
            if dry_run or difference.is_empty or await files.change(difference):
                return before, after


@dataclass(frozen=True, slots=True)
class _Found:
    shop: Shop
    revision: int
    catalogue: Catalogue


def _read(connection: Connection, handle: str, rows: Iterable[CatalogueRow]) -> _Found | None:
    """Read the stored products and markets that the rows refer to. Returns None when the shop was changed in the meantime."""
    row = connection.execute(select(shops).where(shops.c.handle == handle)).first()
    if row is None or not is_loaded(row.generation):
        raise ShopUnknown
    shop = tenant_of(row).shop
    if shop.platform.kind in LIVE_PLATFORMS:
        raise ShopLive
    owners = dict(_rows(connection, row.id, variants.c.id, variants.c.product_id, {each.variant_id for each in rows}))
    concerned = {owners[each.variant_id] for each in rows if each.country is None and each.variant_id in owners}
    countries = {each.country for each in rows if each.country is not None}
    documents = _rows(connection, row.id, products.c.id, products.c.document, concerned)
    of_markets = _rows(connection, row.id, markets.c.country_code, markets.c.document, countries)
    catalogue = Catalogue(
        owners,
        {id_: from_document(document, Product) for id_, document in documents},
        {country: from_document(document, Market) for country, document in of_markets},
    )
    return _Found(shop, row.revision, catalogue) if is_unchanged(connection, row) else None


def _rows(
    connection: Connection, shop_id: int, key: Column[Any], value: Column[Any], wanted: Collection[Any]
) -> Iterator[tuple[Any, Any]]:
    for names in batches(wanted, PART):
        part = of_shop(key.table, shop_id) & key.in_(names)
        yield from (tuple(row) for row in connection.execute(select(key, value).where(part)))


def _changes(found: _Found, rows: Sequence[CatalogueRow]) -> tuple[ShopFile, ShopFile]:
    catalogue = found.catalogue
    of_products, of_markets = changed_products(rows, catalogue), changed_markets(rows, catalogue)
    before = ShopFile(
        found.shop,
        products=tuple(catalogue.products[product.id] for product in of_products),
        markets=tuple(catalogue.markets[market.country_code] for market in of_markets),
    )
    return before, replace(before, products=tuple(of_products), markets=tuple(of_markets))


def _outdated(changed: ShopFile) -> Iterator[Outdated]:
    for kind in (PRODUCTS, MARKETS):
        new = Items.of(kind, kind.items(changed))
        yield Outdated(new, list(new.items), list(new.items))
