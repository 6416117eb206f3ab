"""Reads and writes whole shops, with everything that a shop file describes (docs/contract.md#shop-file)."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, delete, insert, select, update

from bundlesvc.batches import batches
from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.live_platform.platform_change import SHOP_SETTINGS, Change
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Market, Shop
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.storage.catalogue.generations import (
    FIRST_LOAD,
    delete_abandoned,
    delete_generation,
    insert_in_parts,
    is_loaded,
    lock_loaded,
    new_generation,
    of_shop,
)
from bundlesvc.storage.catalogue.journal import NO_JOURNAL, Journal
from bundlesvc.storage.catalogue.shop_differences import (
    KINDS,
    Difference,
    Items,
    compared,
    variants_of,
    with_difference,
)
from bundlesvc.storage.catalogue.shop_ids import new_shop_id
from bundlesvc.storage.catalogue.shops import tenant_of
from bundlesvc.storage.database.damage import DocumentDamaged, documents_of
from bundlesvc.storage.database.documents import from_document, to_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import bundles, experiments, markets, products, shops, variants
from bundlesvc.storage.ghosts.records import PART, mark_ghosts


class SqlShopFileStore:
    """Implements the `ShopFileStore` port on the database. The journal records each write."""

    def __init__(self, database: Database, journal: Journal = NO_JOURNAL) -> None:
        self._database = database
        self._journal = journal

    async def stored(self, handle: str) -> ShopFile | None:
        return await self._database.read(lambda connection: stored_shop(connection, handle))

    async def replace(self, shop_file: ShopFile) -> bool:
        while True:  # repeated when somebody else changes the shop between comparing and writing
            found = await self._difference(shop_file)
            if found is None:
                continue
            if found.is_empty:
                return False
            if found.is_small:
                written = await self._database.write(partial(write_difference, found, self._journal))
            else:
                written = await self._write_generation(shop_file, found)
            if written:
                return True

    async def merge(self, handle: str, merged: Callable[[ShopFile | None], ShopFile]) -> bool:
        """Replace the stored shop with what `merged` returns for it. Tries again if somebody else changes the shop in the
        meantime. Returns False when nothing changed. `merged` is called in a thread, possibly more than once; its errors are
        raised."""
        while True:
            revision, stored = await self._database.read(lambda connection: _with_revision(connection, handle))
            shop_file = await asyncio.to_thread(merged, stored)
            if stored is None:
                return await self.replace(shop_file)
            found = await self._difference(shop_file)
            if found is None or found.revision != revision:
                continue
            if found.is_empty:
                return False
            if found.is_small and await self._database.write(partial(write_difference, found, self._journal)):
                return True
            if not found.is_small and await self._write_generation(shop_file, found, revision):
                return True

    async def change(self, difference: Difference) -> bool:
        """Apply a difference to a stored shop. Returns False, and changes nothing, when the shop has changed since the
        comparison."""
        if difference.is_small:
            return await self._database.write(partial(write_difference, difference, self._journal))
        shop_file = await self.stored(difference.handle)
        if shop_file is None:
            return False
        shop_file = with_difference(shop_file, difference)
        return await self._write_generation(shop_file, difference, difference.revision)

    async def _difference(self, shop_file: ShopFile) -> Difference | None:
        """Return how the shop file differs from the stored shop; None when the stored shop was changed in the meantime."""
        new = _items(shop_file)
        return await self._database.read(lambda connection: compared(connection, shop_file.shop, new))

    async def _write_generation(self, shop_file: ShopFile, found: Difference, revision: int | None = None) -> bool:
        """Write a whole new generation of rows, then switch the shop to it. If the shop's revision is no longer `revision`, the
        shop is not switched; None stands for any revision. `found` is the difference from the rows in use. Returns whether the
        shop was switched. Raises ShopDeleted.

        If the load is interrupted, an existing shop is unchanged; a new shop keeps an unlisted row, which has to be written
        before all its other rows."""
        database, shop = self._database, shop_file.shop
        await delete_abandoned(database, shop.handle)
        shop_id = await database.write(partial(_found_or_empty, shop))
        generation = new_generation()
        own = {"shop_id": shop_id, "generation": generation}
        for items in _items(shop_file):
            rows = ({**own, **row} for row in items.rows(items.items))
            await insert_in_parts(database, shop_id, items.kind.key.table, rows)
        of_variants = ({**own, **row} for row in _variant_rows(variants_of(shop_file.products)))
        await insert_in_parts(database, shop_id, variants, of_variants)
        await self._journal.prepare(database, shop_id, found)
        switch = partial(_use_generation, shop_id, found, self._journal, shop, generation, revision)
        outdated = await database.write(switch)
        await delete_generation(database, shop_id, outdated)
        return outdated != generation


def _items(shop_file: ShopFile) -> list[Items]:
    return [Items.of(kind, kind.items(shop_file)) for kind in KINDS]


def _with_revision(connection: Connection, handle: str) -> tuple[int | None, ShopFile | None]:
    """Read a shop's revision, then its content. If the shop changes in between, its current revision no longer equals the
    returned one, so the caller can detect the change."""
    revision = connection.execute(select(shops.c.revision).where(shops.c.handle == handle)).scalar()
    return revision, stored_shop(connection, handle)


def stored_shop(connection: Connection, handle: str) -> ShopFile | None:
    """Read a whole shop; None when it does not exist. Raises DocumentDamaged."""
    row = connection.execute(select(shops).where(shops.c.handle == handle)).first()
    if row is None or not is_loaded(row.generation):
        return None

    def documents(table: Table) -> Iterable[str]:
        order = [column for column in table.primary_key.columns if column is not table.c.shop_id]
        query = select(table.c.document).where(of_shop(table, row.id)).order_by(*order)
        return connection.execute(query).scalars()

    with documents_of(handle):
        return ShopFile(
            shop=tenant_of(row).shop,
            markets=tuple(from_document(document, Market) for document in documents(markets)),
            products=tuple(from_document(document, Product) for document in documents(products)),
            bundles=tuple(from_document(document, Bundle) for document in documents(bundles)),
            experiments=tuple(from_document(document, Experiment) for document in documents(experiments)),
        )


def write_difference(difference: Difference, journal: Journal, connection: Connection) -> bool:
    """Write the differences, increment the shop's revision, and mark the ghost variants that depend on the changed rows. Returns
    False, and writes nothing, when the shop has changed since the comparison.

    The row of the shop is locked first, so that other writers of the same shop wait.
    """
    before = _locked(connection, difference)
    row = _claimed(connection, difference)
    if row is None:
        return False
    journal.record(connection, row.id, before, difference)
    own = {"shop_id": row.id, "generation": row.generation}
    for part in difference.parts:
        _write_rows(connection, part.new.kind.key, own, part.gone, part.new.rows(part.added))
    _write_rows(connection, variants.c.id, own, difference.variants_gone, _variant_rows(difference.variants_added))
    mark_ghosts(connection, row.id, difference.changes)
    return True


def _locked(connection: Connection, difference: Difference) -> Shop | None:
    """Lock the shop against other writers, and return it as it was before the write; None for a new or damaged shop."""
    if difference.revision is None:
        return None
    wanted = (shops.c.handle == difference.handle) & (shops.c.revision == difference.revision)
    row = connection.execute(select(shops).where(wanted).with_for_update(key_share=True)).first()
    return None if row is None else _shop_of(row)


def _shop_of(row: Row[Any]) -> Shop | None:
    with suppress(DocumentDamaged):
        return tenant_of(row).shop
    return None


def _claimed(connection: Connection, difference: Difference) -> Any:
    """Write the row of the shop with its new revision, and return the row's id and generation. Returns None when the shop has
    changed since the comparison."""
    wanted = shops.c.handle == difference.handle
    raised = {"revision": shops.c.revision + 1, **_values(difference.shop)}
    if difference.revision is None:
        if connection.execute(select(shops.c.id).where(wanted)).first() is None:
            return _add_shop(connection, _values(difference.shop))
        unchanged = wanted & (shops.c.generation < 0)
        raised["generation"] = new_generation()  # other generations may have leftover rows
    else:
        unchanged = wanted & (shops.c.revision == difference.revision)
    return connection.execute(update(shops).where(unchanged).values(raised).returning(*_ROW)).first()


_ROW = (shops.c.id, shops.c.generation)


def _values(shop: Shop | None) -> dict[str, Any]:
    return (
        {}
        if shop is None
        else {"handle": shop.handle, "headless_enabled": shop.headless_enabled, "document": to_document(shop)}
    )


def _add_shop(connection: Connection, values: Mapping[str, Any]) -> Any:
    values = {**values, "revision": 1, **new_shop_id(connection)}
    return connection.execute(insert(shops).values(values).returning(*_ROW)).one()


def _found_or_empty(shop: Shop, connection: Connection) -> int:
    """Return the id of the shop, creating the shop when it does not exist. A new shop, or one whose deletion was interrupted,
    counts as not loaded."""
    query = select(shops.c.id, shops.c.generation).where(shops.c.handle == shop.handle).with_for_update(key_share=True)
    found = connection.execute(query).first()
    if found is None:
        values = {**_values(shop), "headless_enabled": False, "generation": FIRST_LOAD}
        return int(_add_shop(connection, values).id)
    if not is_loaded(found.generation):
        connection.execute(update(shops).where(shops.c.id == found.id).values(generation=FIRST_LOAD))
    return int(found.id)


def _use_generation(
    shop_id: int,
    found: Difference,
    journal: Journal,
    shop: Shop,
    generation: int,
    revision: int | None,
    connection: Connection,
) -> int:
    """Switch the shop to the rows of a generation if the shop still has this revision and the journal can record the switch.
    Returns the generation to delete: the old one after a switch, otherwise the new one."""
    row = lock_loaded(connection, shop_id, changes=True)
    if revision not in (None, row.revision):
        return generation
    before = _shop_of(connection.execute(select(shops).where(shops.c.id == shop_id)).one())
    if not journal.record(connection, shop_id, before, found):
        return generation
    used = {"generation": generation, "revision": shops.c.revision + 1, **_values(shop)}
    connection.execute(update(shops).where(shops.c.id == shop_id).values(used))
    # Marks all ghost variants of the shop: this takes one statement, and marking too many does no harm.
    mark_ghosts(connection, shop_id, [Change(SHOP_SETTINGS)])
    return int(row.generation)


def _variant_rows(products_of: Mapping[int, int]) -> Iterator[Mapping[str, Any]]:
    for id_, product_id in products_of.items():
        yield {"id": id_, "product_id": product_id}


def _write_rows(
    connection: Connection,
    key: Column[Any],
    own: Mapping[str, int],
    outdated: Sequence[Any],
    rows: Iterable[Mapping[str, Any]],
) -> None:
    """Remove the outdated rows, given by name, from the shop's `own` rows, then add the new rows."""
    table = key.table
    mine = (table.c.shop_id == own["shop_id"]) & (table.c.generation == own["generation"])
    for names in batches(outdated, PART):
        connection.execute(delete(table).where(mine, key.in_(names)))
    added = [{**own, **row} for row in rows]
    if added:
        connection.execute(insert(table), added)
