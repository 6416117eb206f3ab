"""The setup of a SQLite database, and the errors that are raised when the database does not respond."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, text

from bundlesvc.domain.errors import StorageBusy, StorageLocked, StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.scheduling.connection_queue import QueueTimeout
from bundlesvc.storage.database.sqlite import connections, file
from bundlesvc.storage.database.sqlite.connections import BUSY_TIMEOUT_MS
from bundlesvc.storage.database.sqlite.file import READERS, SqliteDatabase
from bundlesvc.storage.database.tables import stock_reminders
from bundlesvc.storage.database.transaction import Conflict
from bundlesvc.storage.migrations.schema import upgrade
from tests.storage.locking import locked_for_all, writing
from tests.storage.methods import ALL_ON_SQLITE, READS_ON_SQLITE, WRITES


@pytest.fixture
def kind() -> str:
    return "sqlite"


FULL, WAL = 2, "wal"


def pragma(name: str) -> Callable[[Connection], Any]:
    return lambda connection: connection.exec_driver_sql(f"PRAGMA {name}").scalar()


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", WAL), ("synchronous", FULL), ("foreign_keys", 1), ("busy_timeout", BUSY_TIMEOUT_MS)],
)
async def test_the_writer_syncs_to_disk_and_enforces_foreign_keys(name: str, value: object, database: Database) -> None:
    assert await database.write(pragma(name)) == value


@pytest.mark.parametrize(("name", "value"), [("query_only", 1), ("busy_timeout", BUSY_TIMEOUT_MS)])
async def test_readers_only_read(name: str, value: object, database: Database) -> None:
    assert await asyncio.gather(*(database.read(pragma(name)) for _ in range(READERS))) == [value] * READERS


async def test_a_reader_cannot_write(tenant: Tenant, database: Database) -> None:
    with pytest.raises(StorageUnavailable):
        await database.read(lambda connection: connection.execute(text("UPDATE shops SET revision = 99")).close())
    assert await SqlShopStore(database, RevisionCache()).revisions() == {tenant.id: tenant.revision}


async def test_a_row_without_a_shop_is_refused(database: Database) -> None:
    orphan = text("INSERT INTO markets VALUES (999, 0, 'DE', '{}')")
    with pytest.raises(Conflict) as refused:
        await database.write(lambda connection: connection.execute(orphan).close())
    assert "FOREIGN KEY" in str(refused.value.__cause__)


async def test_errors_do_not_repeat_what_a_shopper_sent(tenant: Tenant, database: Database) -> None:
    """Errors do not contain data that a shopper sent. Otherwise, a traceback would write the data to the log."""
    reminder = insert(stock_reminders).values(
        shop_id=999, variant_id=1, email="ann@shopper.example", bundle_name="Box", created_at=1
    )
    with pytest.raises(Conflict) as refused:
        await database.write(lambda connection: connection.execute(reminder).close())
    query = text("SELECT absent FROM shops WHERE handle = :email").bindparams(email="ann@shopper.example")
    with pytest.raises(StorageUnavailable) as failed:
        await database.read(lambda connection: connection.execute(query).scalar())
    assert "ann" not in f"{refused.value.__cause__} {failed.value.__cause__}"


async def test_a_missing_folder_is_created(tmp_path: Path) -> None:
    path = tmp_path / "not" / "yet" / "there.db"
    async with open_database(str(path)) as database:
        await database.write(upgrade)
    assert path.is_file()


async def test_a_read_does_not_wait_for_a_writer(tenant: Tenant, impatient: Database, settings: Settings) -> None:
    """A read does not wait for a writer, and sees the data from before the write. The lock timeout is short, so a read that
    waited would fail."""
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


def failure_of(name: str) -> type[Exception]:
    """Return the error that a method raises when the database does not respond. It is OSError for a backup, and
    StorageUnavailable otherwise."""
    return OSError if name == "backup" else StorageUnavailable


@pytest.mark.parametrize("name", ALL_ON_SQLITE)
async def test_a_locked_database_raises_storage_unavailable(
    name: str, tenant: Tenant, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    await database.close()
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_MS", 1)
    with locked_for_all(settings.database):
        async with open_database(settings.database) as locked:
            with pytest.raises(failure_of(name)) as refused:
                await ALL_ON_SQLITE[name](locked, tenant, tmp_path)
    assert refused.value.__cause__ is not None


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_during_another_programs_write_raises_storage_unavailable(
    name: str, tenant: Tenant, impatient: Database, settings: Settings, tmp_path: Path
) -> None:
    with writing(settings.database), pytest.raises(StorageUnavailable):
        await WRITES[name](impatient, tenant, tmp_path)


@pytest.mark.parametrize("name", READS_ON_SQLITE)
async def test_a_read_during_another_programs_write_succeeds(
    name: str, tenant: Tenant, impatient: Database, settings: Settings, tmp_path: Path
) -> None:
    with writing(settings.database):
        await READS_ON_SQLITE[name](impatient, tenant, tmp_path)


def test_a_failed_connection_ends_before_the_database_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed connection ends before the database is closed. Otherwise its thread would find the event loop closed, and print a
    traceback after the command's message."""
    crashed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", crashed.append)

    async def read() -> None:
        absent = SqliteDatabase(str(tmp_path / "no folder" / "there.db"))
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


SLOW_QUERY = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) SELECT count(*) FROM n"


@pytest.mark.parametrize("steps", [*range(9), 20, 60])
def test_a_cancelled_read_leaves_no_thread_behind(steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read that is cancelled after some steps of the event loop, while the connection is being opened or the query is running,
    leaves no thread behind."""
    crashed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", crashed.append)
    before = set(threading.enumerate())

    async def cancel_a_read() -> None:
        async with open_database(str(tmp_path / "any.db")) as database:
            read = asyncio.create_task(
                database.read(lambda connection: connection.exec_driver_sql(SLOW_QUERY).scalar())
            )
            for _ in range(steps):
                await asyncio.sleep(0)
            read.cancel()
            await asyncio.wait([read])

    asyncio.run(cancel_a_read())
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
    assert crashed == []


@pytest.mark.parametrize("name", ALL_ON_SQLITE)
async def test_a_missing_database_raises_storage_unavailable(name: str, tenant: Tenant, tmp_path: Path) -> None:
    absent = SqliteDatabase(str(tmp_path / "no folder" / "there.db"))
    absent.start()
    try:
        with pytest.raises(failure_of(name)) as refused:
            await ALL_ON_SQLITE[name](absent, tenant, tmp_path)
    finally:
        await absent.close()
    assert refused.value.__cause__ is not None


@pytest.mark.parametrize("name", sorted(set(ALL_ON_SQLITE) - {"SqlShopStore.ping", "backup"}))
async def test_a_database_without_tables_raises_storage_unavailable(name: str, tenant: Tenant, tmp_path: Path) -> None:
    async with open_database(str(tmp_path / "empty.db")) as empty:
        with pytest.raises(StorageUnavailable):
            await ALL_ON_SQLITE[name](empty, tenant, tmp_path)


async def test_a_file_that_is_not_a_database_raises_storage_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam, " * 100)
    async with open_database(str(path)) as letter:
        with pytest.raises(StorageUnavailable):
            await letter.read(lambda connection: connection.execute(text("SELECT * FROM shops")).close())
        with pytest.raises(StorageUnavailable):
            await letter.write(upgrade)
    assert path.read_text().startswith("Dear Sir")


def no_connection(_: float) -> None:
    raise QueueTimeout(served=True)


async def test_reads_that_wait_too_long_for_others_find_the_service_overloaded(
    monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    """Reads that wait too long for other reads report overload. The database works, and is not reported as failing."""
    assert isinstance(database, SqliteDatabase)
    monkeypatch.setattr(database._queue, "one", no_connection)

    with pytest.raises(StorageBusy) as raised:
        await database.read(pragma("query_only"))

    assert raised.value.code == "overloaded"
    assert database.health.failure is None


async def test_reads_that_wait_too_long_for_a_lock_find_it(
    tenant: Tenant, settings: Settings, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    await database.close()
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_MS", 10)
    monkeypatch.setattr(file, "QUEUE_SECONDS", 0.2)
    with locked_for_all(settings.database):
        async with open_database(settings.database) as locked:
            store = SqlShopStore(locked, RevisionCache())
            with pytest.raises(StorageLocked):
                await store.revisions()
            reads = (store.revisions() for _ in range(READERS * 50))
            results = await asyncio.gather(*reads, return_exceptions=True)
    assert {type(result) for result in results} == {StorageLocked}


async def test_reads_succeed_after_a_lock_is_released(
    tenant: Tenant, settings: Settings, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    await database.close()
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_MS", 1)
    async with open_database(settings.database) as reopened:
        store = SqlShopStore(reopened, RevisionCache())
        with locked_for_all(settings.database), pytest.raises(StorageUnavailable):
            await store.revisions()
        assert await store.revisions() == {tenant.id: tenant.revision}
        with closing(sqlite3.connect(settings.database)) as other:
            assert other.execute("SELECT revision FROM shops").fetchall() == [(tenant.revision,)]
