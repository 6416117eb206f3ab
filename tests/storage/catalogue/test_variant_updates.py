"""The stock and prices of individual variants are written immediately, at a cost proportional to the change."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

import pytest

from bundlesvc.domain.live_platform.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.catalogue_rows import CatalogueRow
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue import shop_differences
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.variant_updates import RowsInvalid, ShopUnknown, SqlCatalogueUpdates
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.transaction import Insertion, Work
from bundlesvc.storage.ghosts.administration import SqlGhostAdmin
from tests.process.shop import MUG, PLAIN_MUG, SCARCE_SHIRT, SHIRT, SHIRT_M
from tests.storage.configured_bundles import configured, ghost, render_response
from tests.storage.prepared import the_shop

T = TypeVar("T")

ROWS = [
    CatalogueRow(2, SCARCE_SHIRT, {"inventory_quantity": 4}),
    CatalogueRow(3, PLAIN_MUG, {"price": Decimal("7.50"), "compare_at_price": Decimal("9.00")}),
    CatalogueRow(4, SHIRT_M, {"price": Decimal("22.00")}, "US"),
    CatalogueRow(5, PLAIN_MUG, {"price": Decimal("9.50")}, "US"),
]


def expected(before: ShopFile) -> ShopFile:
    """Return the shop as it should be after `ROWS` have been applied."""
    shirt, mug, *others = before.products
    japan, us = before.markets
    scarce = replace(shirt.variants[0], inventory_quantity=4)
    cheap = replace(mug.variants[0], price=Decimal("7.50"), compare_at_price=Decimal("9.00"))
    return replace(
        before,
        products=(
            replace(shirt, variants=(scarce, *shirt.variants[1:])),
            replace(mug, variants=(cheap, *mug.variants[1:])),
            *others,
        ),
        markets=(japan, replace(us, prices={SHIRT_M: Decimal("22.00"), PLAIN_MUG: Decimal("9.50")})),
    )


async def revision(database: Database) -> int:
    tenant = await SqlKeyStore(database).tenant("demo")
    assert tenant is not None
    return tenant.revision


@pytest.mark.parametrize("rows_in_place", [shop_differences.SMALL_ROWS, 0], ids=["in place", "as a generation"])
async def test_rows_change_what_they_name(
    tenant: Tenant, database: Database, rows_in_place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shop_differences, "SMALL_ROWS", rows_in_place)
    files, updates = SqlShopFileStore(database), SqlCatalogueUpdates(database)
    before = await files.stored("demo")
    assert before is not None

    changed = await updates.apply("demo", ROWS, dry_run=True)
    assert [{product.id for product in each.products} for each in changed] == [{SHIRT, MUG}] * 2
    assert await files.stored("demo") == before

    assert await updates.apply("demo", ROWS, dry_run=False) == changed
    assert await files.stored("demo") == expected(before)
    assert await revision(database) == tenant.revision + 1

    nothing = await updates.apply("demo", ROWS, dry_run=False)
    assert [(each.products, each.markets) for each in nothing] == [((), ())] * 2
    assert await revision(database) == tenant.revision + 1


async def test_a_fixed_price_is_removed(tenant: Tenant, database: Database) -> None:
    rows = [CatalogueRow(2, SHIRT_M, {"price": None}, "US"), CatalogueRow(3, SCARCE_SHIRT, {"price": None}, "JP")]
    await SqlCatalogueUpdates(database).apply("demo", rows, dry_run=False)
    stored = await SqlShopFileStore(database).stored("demo")
    assert stored is not None
    assert [dict(market.prices) for market in stored.markets] == [{}, {}]


async def test_one_unknown_row_leaves_everything_as_it_was(tenant: Tenant, database: Database) -> None:
    wrong = [
        CatalogueRow(6, 999, {"inventory_quantity": 1}),
        CatalogueRow(7, SHIRT_M, {"price": Decimal(1)}, "DE"),
        CatalogueRow(8, SCARCE_SHIRT, {"inventory_quantity": 1}),
    ]
    with pytest.raises(RowsInvalid) as refused:
        await SqlCatalogueUpdates(database).apply("demo", [*ROWS, *wrong], dry_run=False)
    assert refused.value.faults == [
        (6, "The shop has no variant 999."),
        (7, "The shop has no market for DE."),
        (8, "Variant 1001 is on line 2, too."),
    ]
    assert await revision(database) == tenant.revision
    with pytest.raises(ShopUnknown):
        await SqlCatalogueUpdates(database).apply("other", ROWS, dry_run=False)


async def test_a_price_marks_the_ghost_variants_of_its_product(
    tenant: Tenant, database: Database, configured_store: SqlConfiguredStore
) -> None:
    of_mug = replace(ghost("identity", 5), subjects=frozenset([Change(PRODUCT, MUG)]))
    await configured_store.record(tenant, configured(), of_mug, None, render_response)
    await SqlCatalogueUpdates(database).apply("demo", ROWS, dry_run=False)
    assert [found.state for found in await SqlGhostAdmin(database).all("demo", None)] == ["marked"]


@pytest.mark.parametrize("rows_in_place", [shop_differences.SMALL_ROWS, 0], ids=["in place", "as a generation"])
async def test_a_load_at_the_same_time_is_not_undone(
    tenant: Tenant, database: Database, rows_in_place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the shop is loaded between the read and the write of an update, the update is applied to the newly loaded shop."""
    loaded = replace(the_shop(), products=tuple(replace(product, title="Other") for product in the_shop().products))
    load, overtaken = SqlShopFileStore(database), False

    class Overtaken:
        def __init__(self) -> None:
            self.health, self.try_writing = database.health, database.try_writing
            self.read, self.read_shop, self.snapshot = database.read, database.read_shop, database.snapshot
            self.start, self.close = database.start, database.close
            self.overwrite_deleted = database.overwrite_deleted

        async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
            nonlocal overtaken
            if not overtaken:
                overtaken = True
                await load.replace(loaded)
            return await database.write(work, insertion)

    monkeypatch.setattr(shop_differences, "SMALL_ROWS", rows_in_place)
    await SqlCatalogueUpdates(Overtaken()).apply("demo", ROWS, dry_run=False)
    assert await load.stored("demo") == expected(loaded)
