"""Backing up a database in use, and pruning old data."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Table, select

from bundlesvc.domain.idempotency import RESPONSE_SECONDS
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.parts import deletion
from bundlesvc.storage.database.tables import configured_bundles, ghost_variants, idempotency_keys, subscriptions
from bundlesvc.storage.database.transaction import Work
from bundlesvc.storage.maintenance.housekeeping import backup, prune
from bundlesvc.storage.migrations.schema import HEAD, version
from tests.process.shop import BOX_VARIANT
from tests.storage.configured_bundles import DAY, MONTHLY, NOW, configured, ghost, idempotency_key, render_response
from tests.storage.conftest import ON_SQLITE
from tests.storage.locking import writing

T = TypeVar("T")

YEAR = 365 * DAY
FOR_A_YEAR = Retention(configured_bundles=YEAR)


def checks(path: Path) -> tuple[list[tuple[str]], list[object]]:
    with closing(sqlite3.connect(path)) as connection:
        return (
            connection.execute("PRAGMA integrity_check").fetchall(),
            connection.execute("PRAGMA foreign_key_check").fetchall(),
        )


@ON_SQLITE
async def test_a_backup_is_complete_and_opens(
    tenant: Tenant, database: Database, settings: Settings, configured_store: SqlConfiguredStore, tmp_path: Path
) -> None:
    await configured_store.record(
        tenant, configured(1, subscription=MONTHLY), BOX_VARIANT, idempotency_key(), render_response
    )
    target = tmp_path / "backup it's.db"

    await backup(Path(settings.database), target)

    assert checks(target) == ([("ok",)], [])
    async with open_database(str(target)) as copy:
        assert await copy.read(version) == HEAD
        assert await SqlShopFileStore(copy).stored("demo") == await SqlShopFileStore(database).stored("demo")
        assert await SqlConfiguredStore(copy).stored_response(tenant, idempotency_key(), NOW) is not None


@ON_SQLITE
async def test_a_backup_of_a_database_in_use_is_consistent(
    tenant: Tenant, settings: Settings, configured_store: SqlConfiguredStore, tmp_path: Path
) -> None:
    """A backup of a database in use is consistent: every configured bundle has a stored response. In an inconsistent copy, one of
    the two would be missing."""
    done = asyncio.Event()

    async def configure() -> None:
        number = 0
        while not done.is_set():
            number += 1
            await configured_store.record(
                tenant, configured(number), BOX_VARIANT, idempotency_key(f"{number}"), render_response
            )

    writers = asyncio.create_task(configure())
    try:
        for number in range(5):
            await backup(Path(settings.database), tmp_path / f"{number}.db")
    finally:
        done.set()
        await writers

    for number in range(5):
        path = tmp_path / f"{number}.db"
        assert checks(path) == ([("ok",)], [])
        with closing(sqlite3.connect(path)) as connection:
            counts = [
                connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()
                for table in (configured_bundles, idempotency_keys)
            ]
        assert counts[0] == counts[1]


@ON_SQLITE
async def test_a_backup_does_not_wait_for_a_writer(tenant: Tenant, settings: Settings, tmp_path: Path) -> None:
    with writing(settings.database):
        await backup(Path(settings.database), tmp_path / "backup.db")
    assert checks(tmp_path / "backup.db") == ([("ok",)], [])


@ON_SQLITE
async def test_a_backup_never_overwrites_a_file(settings: Settings, tmp_path: Path) -> None:
    target = tmp_path / "there.db"
    with closing(sqlite3.connect(target)) as connection:
        connection.execute("CREATE TABLE precious (id)")
    before = target.read_bytes()
    with pytest.raises(FileExistsError):
        await backup(Path(settings.database), target)
    assert target.read_bytes() == before


@ON_SQLITE
async def test_a_backup_that_fails_leaves_no_file(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await backup(Path(settings.database), tmp_path / "no folder" / "backup.db")
    assert not (tmp_path / "no folder").exists()


async def ids(database: Database, table: Table, column: str = "id") -> list[object]:
    query = select(table.c[column]).order_by(table.c[column])
    return await database.read(lambda connection: list(connection.execute(query).scalars()))


async def test_pruning_deletes_old_configured_bundles(
    tenant: Tenant, database: Database, configured_store: SqlConfiguredStore
) -> None:
    for number, age in enumerate((YEAR + 1, YEAR, YEAR - 1, 0), start=1):
        await configured_store.record(
            tenant, configured(number, configured_at=NOW - age), BOX_VARIANT, None, render_response
        )

    assert await prune(database, NOW, FOR_A_YEAR) == {"stored responses": 0, "seen arms": 0, "configured bundles": 2}
    assert await ids(database, configured_bundles) == [3, 4]
    assert await prune(database, NOW, FOR_A_YEAR) == {"stored responses": 0, "seen arms": 0, "configured bundles": 0}


async def test_pruning_keeps_configured_bundles_with_a_subscription(
    tenant: Tenant, database: Database, configured_store: SqlConfiguredStore
) -> None:
    old = NOW - YEAR
    await configured_store.record(
        tenant, configured(1, configured_at=old, subscription=MONTHLY), BOX_VARIANT, None, render_response
    )
    await configured_store.record(tenant, configured(2, configured_at=old), ghost("identity", 5), None, render_response)

    assert (await prune(database, NOW, FOR_A_YEAR))["configured bundles"] == 1

    assert await ids(database, configured_bundles) == [1]
    assert await ids(database, subscriptions, "configured_bundle_id") == [1]
    assert await ids(database, ghost_variants, "variant_id") == [5]


async def test_pruning_deletes_expired_responses_and_keeps_the_others(
    tenant: Tenant, database: Database, configured_store: SqlConfiguredStore
) -> None:
    """Pruning deletes expired responses. It keeps the other responses and their configured bundles, however short the retention
    is."""
    for number, age in enumerate((RESPONSE_SECONDS, RESPONSE_SECONDS - 1), start=1):
        bundle = configured(number, configured_at=NOW - age)
        await configured_store.record(tenant, bundle, BOX_VARIANT, idempotency_key(f"{number}"), render_response)

    assert await prune(database, NOW, Retention(configured_bundles=1)) == {
        "stored responses": 1,
        "seen arms": 0,
        "configured bundles": 1,
    }

    assert await ids(database, idempotency_keys, "key") == ["2"]
    assert await ids(database, configured_bundles) == [2]


async def test_pruning_deletes_in_several_transactions(
    tenant: Tenant, database: Database, configured_store: SqlConfiguredStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pruning deletes in several transactions, because a service would time out waiting to write during a single long one."""
    for size in ("FIRST_PART", "SMALLEST_PART", "LARGEST_PART"):
        monkeypatch.setattr(deletion, size, 2)
    for number in range(1, 6):
        old = configured(number, configured_at=NOW - 2 * YEAR + number)
        await configured_store.record(tenant, old, BOX_VARIANT, None, render_response)
    left_over = []
    write = database.write

    async def watched(work: Work[T]) -> T:
        result = await write(work)
        left_over.append(await ids(database, configured_bundles))
        return result

    monkeypatch.setattr(database, "write", watched)

    assert (await prune(database, NOW, FOR_A_YEAR))["configured bundles"] == 5
    assert left_over[-3:] == [[3, 4, 5], [5], []]


@pytest.mark.parametrize(
    ("seconds", "rows"),
    [(0.0, 1000), (0.025, 1000), (0.05, 500), (0.5, 50), (50.0, deletion.SMALLEST_PART)],
)
def test_the_size_of_the_next_part_follows_the_time_of_the_last(seconds: float, rows: int) -> None:
    assert deletion.next_part(500, seconds) == rows


def test_a_part_is_never_larger_than_the_limit() -> None:
    assert deletion.next_part(deletion.LARGEST_PART, 0.0) == deletion.LARGEST_PART
