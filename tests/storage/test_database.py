"""How SQLite is set up, and what happens when it does not answer."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from decimal import Decimal
from importlib import import_module
from inspect import isclass, iscoroutinefunction
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from sqlalchemy import Connection, text

from bundlesvc import storage
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.key import ApiKey
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.fixtures.loading import read_shop_file
from bundlesvc.ports import Asked
from bundlesvc.settings import Settings
from bundlesvc.storage import database as database_module
from bundlesvc.storage import maintenance
from bundlesvc.storage.catalogue import EmbeddedPlatform
from bundlesvc.storage.configured import SqlConfiguredStore
from bundlesvc.storage.database import BUSY_TIMEOUT_MS, READERS, Database, open_database
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.storage.reminders import SqlReminders
from bundlesvc.storage.revision_cache import RevisionCache
from bundlesvc.storage.schema import upgrade
from bundlesvc.storage.shop_files import SqlShopFileStore
from bundlesvc.storage.shops import SqlShopStore
from bundlesvc.storage.subscriptions import SqlSubscriptions
from bundlesvc.storage.writer import Conflict
from tests.process.shop import SHOP
from tests.storage.configured_bundles import NOW, answer, configured, ghost, kept_key
from tests.storage.locking import locked_for_all, writing

FULL, WAL = 2, "wal"


def pragma(name: str) -> Callable[[Connection], Any]:
    return lambda connection: connection.exec_driver_sql(f"PRAGMA {name}").scalar()


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", WAL), ("synchronous", FULL), ("foreign_keys", 1), ("busy_timeout", BUSY_TIMEOUT_MS)],
)
async def test_the_writer_is_durable_and_keeps_references(name: str, value: object, database: Database) -> None:
    assert await database.write(pragma(name)) == value


@pytest.mark.parametrize(("name", "value"), [("query_only", 1), ("busy_timeout", BUSY_TIMEOUT_MS)])
async def test_readers_only_read(name: str, value: object, database: Database) -> None:
    assert await asyncio.gather(*(database.read(pragma(name)) for _ in range(READERS))) == [value] * READERS


async def test_a_reader_cannot_write(tenant: Tenant, database: Database) -> None:
    with pytest.raises(StorageUnavailable):
        await database.read(lambda connection: connection.execute(text("UPDATE shops SET revision = 99")).close())
    assert await SqlShopStore(database, RevisionCache()).revisions() == {tenant.id: tenant.revision}


async def test_a_row_of_no_shop_is_refused(database: Database) -> None:
    orphan = text("INSERT INTO markets VALUES (999, 'DE', '{}')")
    with pytest.raises(Conflict) as refused:
        await database.write(lambda connection: connection.execute(orphan).close())
    assert "FOREIGN KEY" in str(refused.value.__cause__)


async def test_the_folder_is_made_when_it_is_absent(tmp_path: Path) -> None:
    path = tmp_path / "not" / "yet" / "there.db"
    async with open_database(str(path)) as database:
        await database.write(upgrade)
    assert path.is_file()


async def test_a_read_does_not_wait_for_a_writer(tenant: Tenant, impatient: Database, settings: Settings) -> None:
    """And sees what was there before it: with 50 ms to wait for a lock, a read that waited would fail."""
    shops = SqlShopStore(impatient, RevisionCache())
    with writing(settings.database) as other:
        other.execute("UPDATE shops SET revision = 99")
        assert await shops.revisions() == {tenant.id: tenant.revision}
        other.execute("COMMIT")
    assert await shops.revisions() == {tenant.id: 99}


async def test_a_read_does_not_wait_for_our_own_writer(tenant: Tenant, database: Database) -> None:
    shops = SqlShopStore(database, RevisionCache())
    loop = asyncio.get_running_loop()

    def read_meanwhile(connection: Connection) -> object:
        connection.execute(text("UPDATE shops SET revision = 99"))
        return asyncio.run_coroutine_threadsafe(shops.revisions(), loop).result(10)

    assert await database.write(read_meanwhile) == {tenant.id: tenant.revision}
    assert await shops.revisions() == {tenant.id: 99}


def _file() -> ShopFile:
    return read_shop_file(SHOP)


KEY = ApiKey(0, 1, "d" * 64, "bnd_live_0000000", "label", False, (), (), 100, active=True, created_at=NOW)

Call = Callable[[Database, Tenant, Path], Awaitable[object]]


def shops(use: Callable[[SqlShopStore, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlShopStore(database, RevisionCache()), tenant)


def key_store(use: Callable[[SqlKeyStore], Awaitable[object]]) -> Call:
    return lambda database, *_: use(SqlKeyStore(database))


def files(use: Callable[[SqlShopFileStore], Awaitable[object]]) -> Call:
    return lambda database, *_: use(SqlShopFileStore(database))


def configured_bundles(use: Callable[[SqlConfiguredStore, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlConfiguredStore(database), tenant)


def catalogue(use: Callable[[EmbeddedPlatform, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(EmbeddedPlatform(database, RevisionCache()), tenant)


def subscriptions(use: Callable[[SqlSubscriptions], Awaitable[object]]) -> Call:
    return lambda database, *_: use(SqlSubscriptions(database))


def reminders(use: Callable[[SqlReminders, Tenant], Awaitable[object]]) -> Call:
    return lambda database, tenant, _: use(SqlReminders(database), tenant)


VARIANTS = _file().products[0].variants

READS: dict[str, Call] = {
    "SqlShopStore.tenants": shops(lambda store, _: store.tenants()),
    "SqlShopStore.revisions": shops(lambda store, _: store.revisions()),
    "SqlShopStore.bundle": shops(lambda store, tenant: store.bundle(tenant, 42)),
    "SqlShopStore.published_bundles": shops(lambda store, tenant: store.published_bundles(tenant, 100)),
    "SqlShopStore.bundle_of_product": shops(lambda store, tenant: store.bundle_of_product(tenant, 900)),
    "SqlShopStore.experiments": shops(lambda store, tenant: store.experiments(tenant)),
    "SqlShopStore.ping": shops(lambda store, _: store.ping()),
    "SqlKeyStore.active_keys": key_store(lambda store: store.active_keys()),
    "SqlKeyStore.active_key": key_store(lambda store: store.active_key("d" * 64)),
    "SqlKeyStore.tenant": key_store(lambda store: store.tenant("demo")),
    "SqlKeyStore.keys": key_store(lambda store: store.keys()),
    "SqlShopFileStore.stored": files(lambda store: store.stored("demo")),
    "SqlConfiguredStore.kept_answer": configured_bundles(
        lambda store, tenant: store.kept_answer(tenant, kept_key(), NOW)
    ),
    "SqlConfiguredStore.ghost": configured_bundles(lambda store, tenant: store.ghost(tenant, "identity")),
    "SqlConfiguredStore.newest_of_ghost": configured_bundles(
        lambda store, tenant: store.newest_of_ghost(tenant, 5, 43)
    ),
    "SqlConfiguredStore.look_up": configured_bundles(lambda store, tenant: store.look_up(tenant, [Asked(1, None)])),
    "EmbeddedPlatform.variant": catalogue(lambda platform, tenant: platform.variant(tenant, 1001)),
    "EmbeddedPlatform.products": catalogue(lambda platform, tenant: platform.products(tenant, [111])),
    "EmbeddedPlatform.market_prices": catalogue(
        lambda platform, tenant: platform.market_prices(tenant, VARIANTS, "US")
    ),
    "EmbeddedPlatform.product_by_handle": catalogue(
        lambda platform, tenant: platform.product_by_handle(tenant, "shirt")
    ),
    "EmbeddedPlatform.market_adjustment": catalogue(lambda platform, tenant: platform.market_adjustment(tenant, "US")),
    "SqlSubscriptions.all": subscriptions(lambda store: store.all()),
    "SqlReminders.all": reminders(lambda store, _: store.all()),
    "backup": lambda database, _, folder: maintenance.backup(database, folder / "backup.db"),
}

WRITES: dict[str, Call] = {
    "SqlKeyStore.touch_keys": key_store(lambda store: store.touch_keys({1: NOW})),
    "SqlKeyStore.add_key": key_store(lambda store: store.add_key(KEY)),
    "SqlKeyStore.revoke_key": key_store(lambda store: store.revoke_key(KEY.prefix)),
    "SqlKeyStore.set_origins": key_store(lambda store: store.set_origins(KEY.prefix, ["https://a.example"])),
    "SqlKeyStore.set_headless": key_store(lambda store: store.set_headless("demo", enabled=False)),
    "SqlShopFileStore.replace": files(lambda store: store.replace(_file())),
    "SqlConfiguredStore.expire": configured_bundles(lambda store, _: store.expire(NOW)),
    "SqlConfiguredStore.retire_ghosts": configured_bundles(
        lambda store, tenant: store.retire_ghosts(tenant, 901, 10, NOW, NOW)
    ),
    "SqlConfiguredStore.record": configured_bundles(
        lambda store, tenant: store.record(tenant, configured(), ghost("identity", 5), kept_key(), answer)
    ),
    "SqlConfiguredStore.revive_ghosts": configured_bundles(
        lambda store, tenant: store.revive_ghosts(tenant, [ghost("identity", 5)])
    ),
    "EmbeddedPlatform.create_ghost_variant": catalogue(
        lambda platform, tenant: platform.create_ghost_variant(tenant, 901, "identity", Decimal(5))
    ),
    "EmbeddedPlatform.retire_ghost_variants": catalogue(
        lambda platform, tenant: platform.retire_ghost_variants(tenant, 901, [5])
    ),
    "SqlSubscriptions.cancel": subscriptions(lambda store: store.cancel(1)),
    "SqlReminders.add_reminder": reminders(
        lambda store, tenant: store.add_reminder(tenant, 1, "a@b.example", "Box", NOW)
    ),
    "SqlReminders.forget": reminders(lambda store, _: store.forget("a@b.example")),
    "prune": lambda database, *_: maintenance.prune(database, NOW, 1),
}

NO_DATABASE_NEEDED = {"EmbeddedPlatform.shop", "EmbeddedPlatform.selling_plans"}

ALL = READS | WRITES


def test_every_storage_method_is_among_these() -> None:
    stores = [
        kind
        for module in iter_modules(storage.__path__, f"{storage.__name__}.")
        for kind in vars(import_module(module.name)).values()
        if isclass(kind) and kind.__module__ == module.name and kind.__name__.startswith(("Sql", "Embedded"))
    ]
    assert len(stores) >= 7
    methods = {
        f"{store.__name__}.{name}"
        for store in stores
        for name, method in vars(store).items()
        if iscoroutinefunction(method) and not name.startswith("_")
    }
    functions = {
        name
        for name, function in vars(maintenance).items()
        if iscoroutinefunction(function) and function.__module__ == maintenance.__name__
    }
    assert set(ALL) == (methods | functions) - NO_DATABASE_NEEDED


@pytest.mark.parametrize("name", ALL)
async def test_a_locked_database_is_unavailable_and_nothing_else(
    name: str, tenant: Tenant, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    await database.close()
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT_MS", 1)
    with locked_for_all(settings.database):
        async with open_database(settings.database) as locked:
            with pytest.raises(StorageUnavailable) as refused:
                await ALL[name](locked, tenant, tmp_path)
    assert refused.value.__cause__ is not None


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_into_a_database_that_another_writes_is_unavailable(
    name: str, tenant: Tenant, impatient: Database, settings: Settings, tmp_path: Path
) -> None:
    with writing(settings.database), pytest.raises(StorageUnavailable):
        await WRITES[name](impatient, tenant, tmp_path)


@pytest.mark.parametrize("name", READS)
async def test_a_read_from_a_database_that_another_writes_is_answered(
    name: str, tenant: Tenant, impatient: Database, settings: Settings, tmp_path: Path
) -> None:
    with writing(settings.database):
        await READS[name](impatient, tenant, tmp_path)


def test_a_connection_that_cannot_be_opened_ends_before_the_database_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its thread would find the event loop closed, and print that on standard error, beside the command's one sentence."""
    crashed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", crashed.append)

    async def read() -> None:
        absent = Database(str(tmp_path / "no folder" / "there.db"))
        absent.start()
        try:
            with pytest.raises(StorageUnavailable):
                await SqlShopStore(absent, RevisionCache()).revisions()
        finally:
            await absent.close()

    before = set(threading.enumerate())
    for _ in range(30):
        asyncio.run(read())
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
    assert len(crashed) == 0


@pytest.mark.parametrize("name", ALL)
async def test_an_absent_database_is_unavailable_and_nothing_else(name: str, tenant: Tenant, tmp_path: Path) -> None:
    absent = Database(str(tmp_path / "no folder" / "there.db"))
    absent.start()
    try:
        with pytest.raises(StorageUnavailable) as refused:
            await ALL[name](absent, tenant, tmp_path)
    finally:
        await absent.close()
    assert refused.value.__cause__ is not None


@pytest.mark.parametrize("name", sorted(set(ALL) - {"SqlShopStore.ping", "backup"}))
async def test_a_database_without_tables_is_unavailable_and_nothing_else(
    name: str, tenant: Tenant, tmp_path: Path
) -> None:
    async with open_database(str(tmp_path / "empty.db")) as empty:
        with pytest.raises(StorageUnavailable):
            await ALL[name](empty, tenant, tmp_path)


async def test_what_is_no_database_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam, " * 100)
    async with open_database(str(path)) as letter:
        with pytest.raises(StorageUnavailable):
            await letter.read(lambda connection: connection.execute(text("SELECT * FROM shops")).close())
        with pytest.raises(StorageUnavailable):
            await letter.write(upgrade)
    assert path.read_text().startswith("Dear Sir")


async def test_reads_that_find_no_free_connection_are_unavailable(
    tenant: Tenant, settings: Settings, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    """More reads than connections while the database does not answer: the last wait for a connection, and that too ends
    as StorageUnavailable."""
    await database.close()
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT_MS", 200)
    with locked_for_all(settings.database):
        async with open_database(settings.database) as locked:
            locked._reading.sync_engine.pool._timeout = 0.01  # type: ignore[attr-defined]
            store = SqlShopStore(locked, RevisionCache())
            reads = (store.revisions() for _ in range(READERS * 10))
            results = await asyncio.gather(*reads, return_exceptions=True)
    assert {type(result) for result in results} == {StorageUnavailable}


async def test_a_database_that_comes_back_answers_again(
    tenant: Tenant, settings: Settings, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    await database.close()
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT_MS", 1)
    async with open_database(settings.database) as reopened:
        store = SqlShopStore(reopened, RevisionCache())
        with locked_for_all(settings.database), pytest.raises(StorageUnavailable):
            await store.revisions()
        assert await store.revisions() == {tenant.id: tenant.revision}
        with closing(sqlite3.connect(settings.database)) as other:
            assert other.execute("SELECT revision FROM shops").fetchall() == [(tenant.revision,)]
