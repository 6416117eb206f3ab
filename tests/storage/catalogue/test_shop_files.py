"""A shop is written in one transaction and can be read back."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import Table, func, select

from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue import shop_differences
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import (
    configured_bundles,
    ghost_variants,
    idempotency_keys,
    subscriptions,
    variants,
)
from bundlesvc.storage.database.transaction import Conflict
from tests.conftest import MakeKey
from tests.process.shop import BOX, GIFT_BOX, PAIR, PAIR_PRODUCT, SHIRT, SHOP, UNPUBLISHED
from tests.storage.configured_bundles import MONTHLY, NOW, configured, ghost, idempotency_key, render_response


@pytest.fixture
def shop_file() -> ShopFile:
    return read_shop_file(SHOP)


def named(shop_file: ShopFile, handle: str) -> ShopFile:
    return replace(shop_file, shop=replace(shop_file.shop, handle=handle))


async def revision(database: Database, handle: str = "demo") -> int:
    found = await SqlKeyStore(database).tenant(handle)
    assert found is not None
    return found.revision


async def count(database: Database, table: Table) -> int:
    query = select(func.count()).select_from(table)
    return await database.read(lambda connection: connection.execute(query).scalar_one())


async def test_a_stored_shop_equals_its_file(shop_files: SqlShopFileStore, shop_file: ShopFile) -> None:
    assert await shop_files.stored("demo") is None
    await shop_files.replace(shop_file)
    assert await shop_files.stored("demo") == shop_file


CHANGES: dict[str, Callable[[ShopFile], ShopFile]] = {
    "shop": lambda file: replace(file, shop=replace(file.shop, headless_enabled=False)),
    "market": lambda file: replace(file, markets=file.markets[1:]),
    "product": lambda file: replace(file, products=(*file.products[:1], replace(file.products[1], title="Other"))),
    "variant": lambda file: replace(
        file, products=(replace(file.products[0], variants=file.products[0].variants[1:]), *file.products[1:])
    ),
    "bundle": lambda file: replace(file, bundles=file.bundles[1:]),
    "experiment": lambda file: replace(file, experiments=()),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_every_change_is_written_and_raises_the_revision(
    shop_files: SqlShopFileStore, shop_file: ShopFile, database: Database, change: Callable[[ShopFile], ShopFile]
) -> None:
    await shop_files.replace(shop_file)
    first, changed = await revision(database), change(shop_file)
    assert await shop_files.replace(changed)
    assert await revision(database) > first
    assert await shop_files.stored("demo") == changed
    query = select(variants.c.id, variants.c.product_id)
    stored = await database.read(lambda connection: {tuple(row) for row in connection.execute(query)})
    assert stored == {(variant.id, product.id) for product in changed.products for variant in product.variants}


async def test_trailing_zeros_of_amounts_are_no_change(shop_files: SqlShopFileStore, shop_file: ShopFile) -> None:
    await shop_files.replace(shop_file)
    first = shop_file.products[0]
    longer = tuple(replace(variant, price=variant.price.quantize(Decimal("0.0000"))) for variant in first.variants)
    assert not await shop_files.replace(
        replace(shop_file, products=(replace(first, variants=longer), *shop_file.products[1:]))
    )


async def test_loading_a_file_twice_changes_nothing(
    shop_files: SqlShopFileStore, shop_file: ShopFile, database: Database
) -> None:
    assert await shop_files.replace(shop_file)
    first = await revision(database)
    assert not await shop_files.replace(shop_file)
    assert await revision(database) == first


async def test_loading_a_file_in_another_order_changes_nothing(
    shop_files: SqlShopFileStore, shop_file: ShopFile, database: Database
) -> None:
    """The order of products, bundles, markets and experiments in a shop file does not matter (`shop_file.difference`)."""
    backwards = replace(
        shop_file,
        markets=shop_file.markets[::-1],
        products=shop_file.products[::-1],
        bundles=shop_file.bundles[::-1],
    )
    assert await shop_files.replace(backwards)
    first = await revision(database)
    assert not await shop_files.replace(backwards)
    assert not await shop_files.replace(shop_file)
    assert await revision(database) == first


async def test_items_missing_in_a_newer_file_are_deleted(shop_files: SqlShopFileStore, shop_file: ShopFile) -> None:
    await shop_files.replace(shop_file)
    smaller = replace(
        shop_file,
        markets=shop_file.markets[:1],
        products=shop_file.products[1:],
        bundles=shop_file.bundles[:1],
        experiments=(),
    )
    await shop_files.replace(smaller)
    assert await shop_files.stored("demo") == smaller

    empty = ShopFile(shop_file.shop)
    await shop_files.replace(empty)
    assert await shop_files.stored("demo") == empty


async def test_changed_items_are_updated(shop_files: SqlShopFileStore, shop_file: ShopFile, database: Database) -> None:
    await shop_files.replace(shop_file)
    changed = replace(
        shop_file,
        shop=replace(shop_file.shop, name="Other", headless_enabled=False),
        bundles=tuple(replace(bundle, name="Other", published=False) for bundle in shop_file.bundles),
        products=tuple(replace(product, handle=f"{product.handle}-2") for product in shop_file.products),
    )
    await shop_files.replace(changed)

    assert await shop_files.stored("demo") == changed
    tenant = await SqlKeyStore(database).tenant("demo")
    assert tenant is not None
    assert not tenant.shop.headless_enabled
    assert await SqlShopStore(database, RevisionCache()).published_bundles(tenant, 100) == []
    platform = EmbeddedPlatform(database, RevisionCache())
    assert await platform.product_by_handle(tenant, "shirt") is None
    assert await platform.product_by_handle(tenant, "shirt-2") is not None


async def test_loading_a_shop_leaves_other_shops(
    shop_files: SqlShopFileStore, shop_file: ShopFile, database: Database
) -> None:
    """Loading a shop does not change other shops, even when they use the same ids."""
    other = named(shop_file, "other")
    await asyncio.gather(shop_files.replace(shop_file), shop_files.replace(other))
    first = await revision(database, "other")

    await shop_files.replace(ShopFile(shop_file.shop))

    assert await shop_files.stored("other") == other
    assert await revision(database, "other") == first


async def test_a_replacement_is_all_or_nothing(
    shop_files: SqlShopFileStore, shop_file: ShopFile, database: Database
) -> None:
    await shop_files.replace(shop_file)
    first = await revision(database)
    broken = replace(shop_file.experiments[0], bundle_id=None)  # type: ignore[arg-type]
    half = replace(shop_file, shop=replace(shop_file.shop, name="Half"), experiments=(broken,))

    with pytest.raises(Conflict):
        await shop_files.replace(half)

    assert await shop_files.stored("demo") == shop_file
    assert await revision(database) == first


async def test_loading_a_shop_keeps_keys_and_configured_bundles(
    tenant: Tenant,
    make_key: MakeKey,
    database: Database,
    shop_files: SqlShopFileStore,
    configured_store: SqlConfiguredStore,
    platform: EmbeddedPlatform,
) -> None:
    await make_key()
    variant = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "identity", configured().pricing.discounted)
    await configured_store.record(tenant, configured(1, subscription=MONTHLY), 9001, idempotency_key(), render_response)
    await configured_store.record(tenant, configured(2), ghost("identity", variant), None, render_response)

    await shop_files.replace(ShopFile(tenant.shop))

    tables = (configured_bundles, subscriptions, idempotency_keys, ghost_variants)
    assert [await count(database, table) for table in tables] == [2, 1, 1, 1]
    assert len(await SqlKeyStore(database).active_keys()) == 1
    assert await configured_store.stored_response(tenant, idempotency_key(), NOW) is not None
    assert await configured_store.ghost(tenant, "identity") == ghost("identity", variant)
    assert (
        await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "identity", configured().pricing.discounted)
        == variant
    )


async def test_published_bundles_are_listed_and_any_is_found_by_id(tenant: Tenant, database: Database) -> None:
    shops = SqlShopStore(database, RevisionCache())
    published = await shops.published_bundles(tenant, 100)
    assert [bundle.id for bundle in published] == [BOX, PAIR]
    assert [bundle.id for bundle in await shops.published_bundles(tenant, 1)] == [BOX]
    assert await shops.published_ids(tenant) == [BOX, PAIR]
    assert await shops.published_ids(tenant, PAIR_PRODUCT) == [PAIR]
    assert await shops.published_ids(tenant, 999) == []
    assert [bundle.id for bundle in await shops.bundles(tenant, [PAIR, 999, UNPUBLISHED])] == [PAIR, UNPUBLISHED]
    unpublished = await shops.bundle(tenant, UNPUBLISHED)
    assert unpublished is not None
    assert not unpublished.published
    assert await shops.bundle(tenant, 999) is None
    assert await shops.bundle(replace(tenant, id=999), BOX) is None
    assert await shops.tenants() == await shops.tenants({tenant.id, 99}) == [tenant]
    assert await shops.tenants({99}) == []
    assert await shops.revisions() == {tenant.id: tenant.revision}
    await shops.ping()


async def test_the_bundle_of_a_product_is_the_published_one_with_the_lowest_id(
    tenant: Tenant, database: Database, shop_files: SqlShopFileStore
) -> None:
    shop_file = await shop_files.stored("demo")
    assert shop_file is not None
    box = shop_file.bundles[0]
    others = tuple(replace(box, id=number, published=number != 7) for number in (99, 30, 7, 50))
    await shop_files.replace(replace(shop_file, bundles=(*others, *shop_file.bundles)))
    later = replace(tenant, revision=tenant.revision + 1)
    shops = SqlShopStore(database, RevisionCache())
    found = await shops.bundle_of_product(later, GIFT_BOX)
    assert found is not None
    assert found.id == 30
    assert await shops.bundle_of_product(later, SHIRT) is None
    assert await shops.bundle_of_product(replace(later, id=999), GIFT_BOX) is None


async def test_experiments_are_listed_per_shop(tenant: Tenant, database: Database, shop_file: ShopFile) -> None:
    shops = SqlShopStore(database, RevisionCache())
    assert await shops.experiments(tenant) == list(shop_file.experiments)
    assert await shops.experiments(replace(tenant, id=999)) == []


@pytest.mark.parametrize("rows", [shop_differences.SMALL_ROWS, 0], ids=["small", "large"])
async def test_a_merge_is_made_again_when_others_have_changed_the_shop_meanwhile(
    rows: int, shop_files: SqlShopFileStore, shop_file: ShopFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shop_differences, "SMALL_ROWS", rows)
    await shop_files.replace(shop_file)
    loop = asyncio.get_running_loop()
    seen: list[str] = []

    def merged(stored: ShopFile | None) -> ShopFile:
        assert stored is not None
        seen.append(stored.shop.name)
        if len(seen) == 1:
            renamed = replace(stored, shop=replace(stored.shop, name="Renamed"))
            asyncio.run_coroutine_threadsafe(shop_files.replace(renamed), loop).result()
        return replace(stored, experiments=())

    assert await shop_files.merge("demo", merged)
    assert seen == [shop_file.shop.name, "Renamed"]
    found = await shop_files.stored("demo")
    assert found is not None
    assert (found.shop.name, found.experiments) == ("Renamed", ())
    assert not await shop_files.merge("demo", lambda _: found)


async def test_simultaneous_loads_leave_one_complete_shop(
    shop_files: SqlShopFileStore, shop_file: ShopFile, database: Database
) -> None:
    small = ShopFile(shop_file.shop)
    await asyncio.gather(*(shop_files.replace(each) for each in (shop_file, small) * 5))
    assert await shop_files.stored("demo") in (shop_file, small)
