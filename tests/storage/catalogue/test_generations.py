"""A load with many changes writes a new generation of the shop's rows in batches, and then switches to it."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, closing
from dataclasses import replace
from functools import partial
from typing import TypeVar

import pytest
from sqlalchemy import Connection, Table, distinct, func, select

from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue import generations, shop_deletion, shop_differences
from bundlesvc.storage.catalogue.generations import ShopDeleted, unfinished_loads
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_deletion import delete_shop
from bundlesvc.storage.catalogue.shop_differences import KINDS, Items, compared
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.catalogue.variant_updates import ShopUnknown, SqlCatalogueUpdates
from bundlesvc.storage.database.health.storage_health import StorageHealth
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts import deletion
from bundlesvc.storage.database.tables import products, variants
from bundlesvc.storage.database.transaction import Insertion, Read, Work
from tests.process.shop import SHIRT
from tests.storage.conftest import ON_SQLITE

T = TypeVar("T")


@pytest.fixture(autouse=True)
def small_parts(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every change as large, and write batches of two rows. These settings take effect only once the database exists,
    because other tests use copies of the database."""
    monkeypatch.setattr(shop_differences, "SMALL_ROWS", 0)
    monkeypatch.setattr(generations, "FIRST_PART", 2)
    monkeypatch.setattr(generations, "next_part", lambda _rows, _seconds: 2)
    monkeypatch.setattr(deletion, "FIRST_PART", 2)


@pytest.fixture
async def changed(tenant: Tenant, shop_files: SqlShopFileStore) -> ShopFile:
    """The stored shop with other product titles."""
    stored = await shop_files.stored(tenant.shop.handle)
    assert stored is not None
    return retitled(stored, "Other")


def retitled(shop_file: ShopFile, title: str) -> ShopFile:
    return replace(shop_file, products=tuple(replace(product, title=title) for product in shop_file.products))


class Interrupted(Exception):
    """Raised before a write, to simulate a process that ends at this point."""


class Interruptible:
    """A database that records the state of the shop before each write, and can interrupt the load after a given number of writes,
    as if the process had ended."""

    def __init__(self, database: Database, writes: int = 10_000) -> None:
        self._database = database
        self._files = SqlShopFileStore(database)
        self._left = writes
        self.seen: list[ShopFile | None] = []
        self.health: StorageHealth = database.health

    async def read(self, query: Callable[[Connection], T]) -> T:
        return await self._database.read(query)

    def snapshot(self) -> AbstractAsyncContextManager[Read]:
        return self._database.snapshot()

    async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
        self.seen.append(await self._files.stored("demo"))
        self._left -= 1
        if self._left < 0:
            raise Interrupted
        return await self._database.write(work, insertion)

    async def read_shop(self, tenant: Tenant, query: Callable[[Connection], T]) -> T:
        return await self._database.read(query)

    async def try_writing(self) -> None: ...

    async def overwrite_deleted(self) -> bool:
        return await self._database.overwrite_deleted()

    def start(self) -> None: ...

    async def close(self) -> None: ...


async def count(database: Database, table: Table, shop_id: int) -> Sequence[int]:
    """Return the number of the shop's rows, and the number of different generations among them."""
    numbers = select(func.count(), func.count(distinct(table.c.generation))).where(table.c.shop_id == shop_id)
    return await database.read(lambda connection: tuple(connection.execute(numbers).one()))


async def test_readers_see_the_old_shop_until_they_see_the_new_one(
    tenant: Tenant, database: Database, shop_files: SqlShopFileStore, changed: ShopFile
) -> None:
    old, watched = await shop_files.stored("demo"), Interruptible(database)
    rows = [await count(database, table, tenant.id) for table in (products, variants)]

    assert await SqlShopFileStore(watched).replace(changed)

    parts = sum(number for number, _ in rows) / 2
    assert watched.seen.count(old) >= parts, "each transaction writes two rows"
    assert watched.seen.count(changed) >= parts, "and each deletes two"
    assert watched.seen == sorted(watched.seen, key=lambda shop_file: shop_file == changed)
    assert await shop_files.stored("demo") == changed
    assert [await count(database, table, tenant.id) for table in (products, variants)] == rows
    assert not await shop_files.replace(changed)
    (found,) = await SqlShopStore(database, RevisionCache()).tenants()
    assert found.revision == tenant.revision + 1
    read = await EmbeddedPlatform(database, RevisionCache()).products(found, [SHIRT])
    assert read.value[SHIRT].title == "Other"


async def test_an_interrupted_load_leaves_the_shop_as_it_was(
    tenant: Tenant, database: Database, shop_files: SqlShopFileStore, changed: ShopFile
) -> None:
    watched = Interruptible(database)
    await SqlShopFileStore(watched).replace(changed)
    until = watched.seen.index(changed)
    for writes in (1, until // 2, until - 1):
        old = await shop_files.stored("demo")
        assert old is not None
        with pytest.raises(Interrupted):
            await SqlShopFileStore(Interruptible(database, writes)).replace(retitled(changed, f"{writes}"))
        assert await shop_files.stored("demo") == old


async def test_rows_of_interrupted_loads_are_deleted_by_a_later_one(
    tenant: Tenant,
    database: Database,
    shop_files: SqlShopFileStore,
    changed: ShopFile,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    complete, _ = await count(database, products, tenant.id)
    for _ in range(2):
        with pytest.raises(Interrupted):
            await SqlShopFileStore(Interruptible(database, 4)).replace(changed)
    assert (await count(database, products, tenant.id))[1] == 3

    monkeypatch.setattr(generations, "ABANDONED_SECONDS", -1)
    await shop_files.replace(changed)

    assert (await count(database, products, tenant.id))[0] == complete


@pytest.fixture
async def unfinished(database: Database, changed: ShopFile) -> ShopFile:
    """A new shop whose first load was interrupted."""
    other = replace(changed, shop=replace(changed.shop, handle="other"))
    with pytest.raises(Interrupted):
        await SqlShopFileStore(Interruptible(database, 3)).replace(other)
    return other


async def test_a_shop_whose_first_load_was_interrupted_is_listed_nowhere(
    tenant: Tenant, database: Database, shop_files: SqlShopFileStore, unfinished: ShopFile
) -> None:
    shops, keys = SqlShopStore(database, RevisionCache()), SqlKeyStore(database)
    assert await shop_files.stored("other") is None
    assert [found.id for found in await shops.tenants()] == [tenant.id]
    assert list(await shops.revisions()) == [tenant.id]
    assert await keys.tenant("other") is None
    assert not await keys.set_headless("other", enabled=True)
    assert await unfinished_loads(database) == ["other"]
    with pytest.raises(ShopUnknown):
        await SqlCatalogueUpdates(database).apply("other", [], dry_run=True)


@pytest.mark.parametrize("small_rows", [0, 5_000])
async def test_a_load_after_an_interrupted_first_one_is_complete(
    small_rows: int,
    database: Database,
    shop_files: SqlShopFileStore,
    unfinished: ShopFile,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shop_differences, "SMALL_ROWS", small_rows)
    assert await shop_files.replace(unfinished)
    assert await shop_files.stored("other") == unfinished
    assert await unfinished_loads(database) == []
    assert not await shop_files.replace(unfinished)


async def test_what_an_interrupted_first_load_left_can_be_deleted(
    database: Database, unfinished: ShopFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shop_deletion, "NOTICE_SECONDS", 0)
    assert await delete_shop(database, "other")
    assert await unfinished_loads(database) == []


@pytest.mark.parametrize("deleted", [False, True])
@pytest.mark.parametrize("writes", [1, 5])
async def test_deleting_a_shop_ends_a_load_of_it(
    deleted: bool,
    writes: int,
    tenant: Tenant,
    database: Database,
    changed: ShopFile,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A load ends as soon as the deletion of its shop has begun, or once the shop is gone, and leaves no rows behind."""
    monkeypatch.setattr(shop_deletion, "NOTICE_SECONDS", 0)

    class Overtaken(Interruptible):
        async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
            if len(self.seen) == writes and deleted:
                assert await delete_shop(database, "demo")
            elif len(self.seen) == writes:
                await database.write(partial(shop_deletion._stop, handle="demo"))
            return await super().write(work, insertion)

    overtaken = Overtaken(database)
    with pytest.raises(ShopDeleted):
        await SqlShopFileStore(overtaken).replace(changed)
    assert len(overtaken.seen) == writes + 1
    assert await delete_shop(database, "demo") is not deleted
    assert [await count(database, table, tenant.id) for table in generations.TABLES] == [(0, 0)] * 5


async def test_a_shop_whose_deletion_was_interrupted_can_be_loaded_again(
    tenant: Tenant, database: Database, shop_files: SqlShopFileStore, changed: ShopFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    for small_rows in (0, 5_000):
        monkeypatch.setattr(shop_differences, "SMALL_ROWS", small_rows)
        await database.write(partial(shop_deletion._stop, handle="demo"))
        assert await shop_files.stored("demo") is None
        assert await shop_files.replace(changed)
        assert await shop_files.stored("demo") == changed


async def test_a_change_during_the_comparison_is_not_lost(
    tenant: Tenant, database: Database, changed: ShopFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another process changes the shop after the comparison, the shop is compared again."""
    monkeypatch.setattr(shop_differences, "SMALL_ROWS", 5_000)

    class Overtaken(Interruptible):
        async def write(self, work: Work[T], insertion: Callable[[], Insertion[T]] | None = None) -> T:
            if not self.seen:
                await SqlKeyStore(database).set_headless("demo", enabled=False)
            return await super().write(work, insertion)

    overtaken = Overtaken(database)
    assert await SqlShopFileStore(overtaken).replace(changed)
    assert len(overtaken.seen) == 2
    assert await SqlShopFileStore(database).stored("demo") == changed


@ON_SQLITE
async def test_a_change_while_the_shop_is_compared_is_noticed(
    tenant: Tenant, database: Database, settings: Settings, changed: ShopFile
) -> None:
    """If the shop changes during the comparison, the comparison is abandoned, because its queries would read rows from two
    different states of the shop."""

    def changed_meanwhile() -> Iterator[Items]:
        for kind in KINDS:
            yield Items.of(kind, kind.items(changed))
            with closing(sqlite3.connect(settings.database)) as other, other:
                other.execute("UPDATE shops SET revision = revision + 1")

    assert await database.read(lambda connection: compared(connection, changed.shop, changed_meanwhile())) is None
