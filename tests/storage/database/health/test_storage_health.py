"""A full disk, a read-only database, a lock and a missing file are distinguished, logged once, and counted."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from bundlesvc.domain.errors import StorageFull, StorageLocked, StorageReadOnly, StorageUnavailable
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.sqlite import connections, failures
from bundlesvc.storage.database.sqlite.file import SqliteDatabase
from tests.storage.conftest import IMPATIENT_MS, ON_POSTGRESQL, ON_SQLITE
from tests.storage.locking import writing

WORKS_AGAIN = "the database works again."


@pytest.fixture
async def opened(settings: Settings, monkeypatch: pytest.MonkeyPatch, own_logs: None) -> AsyncIterator[Database]:
    """The database, with a lock timeout of milliseconds instead of seconds."""
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_MS", IMPATIENT_MS)
    async with open_database(settings.database) as database:
        database.health.log()
        yield database


def store_much(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS much (bytes BLOB)")
    connection.exec_driver_sql("INSERT INTO much VALUES (zeroblob(1000000))")


def set_query_only(database: SqliteDatabase, value: str) -> None:
    """Set `query_only` outside a transaction, on the connection for writing."""
    with closing(database._writing.raw_connection()) as connection:
        connection.cursor().execute(f"PRAGMA query_only = {value}")


async def is_ready(database: Database) -> bool:
    try:
        await SqlShopStore(database, RevisionCache()).ping()
    except StorageUnavailable:
        return False
    return True


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage()
        for record in caplog.records
        if record.name == "bundlesvc.storage.database.health.storage_health"
    ]


def metrics(database: Database) -> dict[str, float]:
    samples = [sample for metric in database.health.collect() for sample in metric.samples]
    return {sample.labels.get("reason", sample.name): sample.value for sample in samples}


@ON_SQLITE
async def test_a_full_disk(opened: Database, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    pages = await opened.read(lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar())
    await opened.write(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}").close())

    for _ in range(2):
        with pytest.raises(StorageFull) as refused:
            await opened.write(store_much)
    assert str(refused.value) == "The database's disk is full: nothing can be stored at the moment."
    assert not await is_ready(opened)
    assert metrics(opened)["full"] == 2
    assert metrics(opened)["bundlesvc_storage_up"] == 0
    assert logged(caplog) == ["the database fails (full): database or disk is full"]

    await opened.write(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1000000").close())
    await opened.try_writing()
    assert await is_ready(opened)
    assert logged(caplog)[1:] == [WORKS_AGAIN]
    assert metrics(opened)["bundlesvc_storage_up"] == 1


@ON_SQLITE
async def test_disk_that_the_log_alone_fills_recovers(
    opened: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database recovers after the write-ahead log alone has filled the disk. A reader prevents checkpoints, so the `-wal`
    file grows until the disk is full."""
    disk = 2 * 1024 * 1024

    def log_size() -> int:
        return Path(f"{settings.database}-wal").stat().st_size

    def unwritable(_: Path) -> StorageFull | None:
        return StorageFull() if log_size() > disk else None

    monkeypatch.setattr(failures, "unwritable", unwritable)
    async with opened.snapshot() as read:
        await read(lambda connection: connection.exec_driver_sql("SELECT count(*) FROM shops").scalar())
        while log_size() <= disk:
            await opened.write(store_much)
        with pytest.raises(StorageFull):
            await opened.try_writing()
        assert not await is_ready(opened)
    await opened.try_writing()
    assert log_size() < disk
    assert await is_ready(opened)


@ON_SQLITE
async def test_a_read_only_file(opened: Database, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert isinstance(opened, SqliteDatabase)
    set_query_only(opened, "ON")
    for _ in range(2):
        with pytest.raises(StorageReadOnly):
            await opened.try_writing()
    assert not await is_ready(opened)
    set_query_only(opened, "OFF")
    await opened.try_writing()
    assert await is_ready(opened)
    assert logged(caplog) == [
        "the database fails (read_only): attempt to write a readonly database",
        WORKS_AGAIN,
    ]


@ON_SQLITE
async def test_a_lock_does_not_make_the_service_unready(
    opened: Database, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with writing(settings.database):
        with pytest.raises(StorageLocked):
            await opened.try_writing()
        assert await is_ready(opened)
    await opened.try_writing()
    assert logged(caplog) == ["the database fails (locked): database is locked", WORKS_AGAIN]


@ON_SQLITE
async def test_a_file_that_was_moved_is_not_written(
    opened: Database, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """A database file that has been moved is not written to. SQLite itself would continue to write to the moved file, where
    nobody would find the data."""
    caplog.set_level(logging.INFO)
    await opened.try_writing()
    here = Path(settings.database)
    there = await asyncio.to_thread(here.rename, here.with_name("moved.db"))
    with pytest.raises(StorageUnavailable) as refused:
        await opened.try_writing()
    assert type(refused.value) is StorageUnavailable
    assert not await is_ready(opened)
    await asyncio.to_thread(there.rename, here)
    await opened.try_writing()
    assert await is_ready(opened)
    assert logged(caplog) == [
        f"the database fails (gone): {here} was moved, deleted or replaced: restart the service",
        WORKS_AGAIN,
    ]


@ON_SQLITE
async def test_a_small_write_does_not_end_a_full_disk(opened: Database) -> None:
    """After a small write succeeds, the disk is still reported as full. Only a test write ends the report, because a test write
    succeeds only if the disk has enough free space."""
    opened.health.failed(StorageFull())
    await opened.write(lambda _: None)
    assert opened.health.failure is StorageFull
    await opened.try_writing()
    assert opened.health.failure is None


@ON_SQLITE
def test_free_bytes_are_measured(settings: Settings) -> None:
    assert metrics(SqliteDatabase(settings.database))["bundlesvc_storage_free_bytes"] > 0


def test_metrics_can_be_read_without_the_folder_of_the_database(tmp_path: Path) -> None:
    found = metrics(SqliteDatabase(str(tmp_path / "gone" / "there.db")))
    assert "bundlesvc_storage_up" in found
    assert "bundlesvc_storage_free_bytes" not in found


def test_a_folder_is_tested_by_writing_a_file(tmp_path: Path) -> None:
    assert failures.unwritable(tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    assert type(failures.unwritable(tmp_path / "absent")) is StorageUnavailable


@ON_POSTGRESQL
async def test_a_read_only_server(settings: Settings, opened: Database, caplog: pytest.LogCaptureFixture) -> None:
    """When the server is read-only, the database is not ready, and the failure is logged. A server can be read-only after a
    failover, or when its hosting provider stops writes because the disk is almost full."""
    caplog.set_level(logging.INFO)
    name = settings.database.rpartition("/")[2]
    setting = f"ALTER DATABASE {name} SET default_transaction_read_only"
    await opened.write(lambda connection: connection.exec_driver_sql(f"{setting} = on").close())
    async with open_database(settings.database) as later:
        later.health.log()
        with pytest.raises(StorageReadOnly):
            await later.try_writing()
        assert not await is_ready(later)
        await opened.write(lambda connection: connection.exec_driver_sql(f"{setting} = off").close())
        await later.try_writing()
        assert await is_ready(later)
    assert logged(caplog) == [
        "the database fails (read_only): cannot execute UPDATE in a read-only transaction",
        WORKS_AGAIN,
    ]


@ON_POSTGRESQL
async def test_a_wrong_statement_is_no_failure_of_the_server(opened: Database) -> None:
    with pytest.raises(StorageUnavailable):
        await opened.write(lambda connection: connection.exec_driver_sql("SELECT * FROM no_such_table").close())
    assert opened.health.failure is None
    assert await is_ready(opened)
