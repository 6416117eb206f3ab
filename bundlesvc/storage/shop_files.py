"""Whole shops, written and read as shop files describe them (docs/contract.md#shop-file)."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Column, Connection, Table, delete, insert, select, update

from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.platform_change import BUNDLE, MARKETS, PRODUCT, SHOP_SETTINGS, Change
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Market
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.storage.database import Database
from bundlesvc.storage.ghosts import mark_ghosts
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

    async def replace(self, shop_file: ShopFile) -> None:
        await self._database.write(lambda connection: _replace(connection, shop_file))


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


def _replace(connection: Connection, shop_file: ShopFile) -> None:
    """Write the shop, and mark the ghost variants that depend on a difference."""
    settings = connection.execute(select(shops.c.document).where(shops.c.handle == shop_file.shop.handle)).scalar()
    shop_id = _write_shop(connection, shop_file)
    changed_markets = _write_documents(connection, markets.c.country_code, shop_id, _market_rows(shop_file))
    changed_products = _write_documents(connection, products.c.id, shop_id, _product_rows(shop_file))
    changed_bundles = _write_documents(connection, bundles.c.id, shop_id, _bundle_rows(shop_file))
    _write_all(connection, variants, shop_id, _variant_rows(shop_file))
    _write_all(connection, experiments, shop_id, _experiment_rows(shop_file))
    changes = [Change(BUNDLE, id_) for id_ in changed_bundles] + [Change(PRODUCT, id_) for id_ in changed_products]
    changes += [Change(MARKETS)] if changed_markets else []
    changes += [] if settings == to_document(shop_file.shop) else [Change(SHOP_SETTINGS)]
    mark_ghosts(connection, shop_id, changes)


def _write_shop(connection: Connection, shop_file: ShopFile) -> int:
    shop = shop_file.shop
    values = {"headless_enabled": shop.headless_enabled, "document": to_document(shop)}
    row = connection.execute(select(shops.c.id).where(shops.c.handle == shop.handle)).first()
    if row is None:
        made = connection.execute(insert(shops).values(handle=shop.handle, revision=1, **values).returning(shops.c.id))
        return int(made.scalar_one())
    raised = {"revision": shops.c.revision + 1, **values}
    connection.execute(update(shops).where(shops.c.id == row.id).values(raised))
    return int(row.id)


def _write_all(connection: Connection, table: Table, shop_id: int, rows: list[Mapping[str, Any]]) -> None:
    """Make these rows the only ones of the shop in the table."""
    connection.execute(delete(table).where(table.c.shop_id == shop_id))
    if rows:
        connection.execute(insert(table), [{"shop_id": shop_id, **row} for row in rows])


def _write_documents(
    connection: Connection, key: Column[Any], shop_id: int, rows: list[Mapping[str, Any]]
) -> list[Any]:
    """As `_write_all`, for a table whose documents have a name in a column. Returns the names of those that are new,
    different or gone."""
    table = key.table
    new = {row[key.name]: row["document"] for row in rows}
    stored = connection.execute(select(key, table.c.document).where(table.c.shop_id == shop_id))
    changed = [name for name, document in stored if new.pop(name, None) != document]
    _write_all(connection, table, shop_id, rows)
    return [*changed, *new]


def _market_rows(shop_file: ShopFile) -> list[Mapping[str, Any]]:
    return [{"country_code": market.country_code, "document": to_document(market)} for market in shop_file.markets]


def _product_rows(shop_file: ShopFile) -> list[Mapping[str, Any]]:
    return [
        {"id": product.id, "handle": product.handle, "document": to_document(product)} for product in shop_file.products
    ]


def _variant_rows(shop_file: ShopFile) -> list[Mapping[str, Any]]:
    return [
        {"id": variant.id, "product_id": product.id} for product in shop_file.products for variant in product.variants
    ]


def _bundle_rows(shop_file: ShopFile) -> list[Mapping[str, Any]]:
    return [
        {
            "id": bundle.id,
            "published": bundle.published,
            "product_id": bundle.product_id,
            "document": to_document(bundle),
        }
        for bundle in shop_file.bundles
    ]


def _experiment_rows(shop_file: ShopFile) -> list[Mapping[str, Any]]:
    return [
        {"id": experiment.id, "bundle_id": experiment.bundle_id, "document": to_document(experiment)}
        for experiment in shop_file.experiments
    ]
