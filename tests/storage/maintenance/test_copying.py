"""A database that is copied between SQLite and PostgreSQL, in either direction, equals the original, and an interrupted copy can
be continued."""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, func, insert, inspect, select, text, update

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.parts import whole_tables
from bundlesvc.storage.database.parts.whole_tables import Extent
from bundlesvc.storage.database.row_numbers import last_numbers, set_last_numbers
from bundlesvc.storage.database.tables import api_keys, metadata, platform_changes, shops, stock_reminders
from bundlesvc.storage.maintenance.copying import copy_database
from bundlesvc.storage.maintenance.unfinished_copy import CopyFailed, add_rows
from bundlesvc.storage.migrations.schema import HEAD, upgrade, version
from tests.servers.postgres_server import PostgresServer
from tests.storage.filled import all_rows, fill

_POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.process)
TO_BOTH = pytest.mark.parametrize("to", ["sqlite", _POSTGRESQL])
"""Runs a test with both kinds of databases as the target."""

ACROSS = pytest.mark.parametrize(
    ("kind", "to"),
    [
        pytest.param("sqlite", "postgresql", marks=pytest.mark.process),
        pytest.param("postgresql", "sqlite", marks=pytest.mark.process),
    ],
    indirect=["kind"],
)

NewAddress = Callable[[str], str]


@pytest.fixture
def new_address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewAddress]:
    """A function that returns the address of a new database of a given kind, without tables."""
    numbers = count(1)
    made: list[str] = []

    def new(kind: str) -> str:
        if kind == "sqlite":
            return str(tmp_path / f"{next(numbers)}.db")
        server: PostgresServer = request.getfixturevalue("postgres")
        made.append(server.new_database())
        return server.url(made[-1])

    yield new
    for name in made:
        request.getfixturevalue("postgres").drop(name)


@pytest.fixture
async def target(to: str, new_address: NewAddress) -> AsyncIterator[Database]:
    async with open_database(new_address(to)) as target:
        yield target


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_tables, "PART_ROWS", 2)
    monkeypatch.setattr(whole_tables, "PART_DOCUMENTS", 1)


def ignore(_step: str, _done: int, _total: int) -> None:
    """A progress callback that does nothing."""


class Interrupted(Exception):
    """Raised between two batches, at a point where Ctrl-C or a power cut could interrupt the copy."""


def interrupt_after(steps: int) -> Callable[[str, int, int], None]:
    left = iter(range(steps))

    def report(_step: str, _done: int, _total: int) -> None:
        if next(left, None) is None:
            raise Interrupted

    return report


async def interrupted_copy(source: Database, target: Database, steps: int, name: str = "source") -> None:
    with pytest.raises(Interrupted):
        await copy_database(source, target, name, interrupt_after(steps))


async def step_of(source: Database, table: str, new_address: NewAddress) -> int:
    """Return the number of the step that completes the copy of a table."""
    steps: list[str] = []
    async with open_database(new_address("sqlite")) as other:
        await copy_database(source, other, "source", lambda step, _done, _total: steps.append(step))
    return len(steps) - steps[::-1].index(table)


@TO_BOTH
async def test_every_row_arrives_equal(database: Database, target: Database) -> None:
    await fill(database)
    counts = await copy_database(database, target, "source", ignore)
    rows = await all_rows(database)
    assert await all_rows(target) == rows
    assert counts == {name: len(of_table) for name, of_table in rows.items()}
    assert set(counts.values()) == {3}
    assert await target.read(version) == HEAD
    assert await target.read(_tables) == {*metadata.tables, "alembic_version"}


@ACROSS
async def test_an_empty_database_can_be_copied(database: Database, target: Database) -> None:
    assert set((await copy_database(database, target, "source", ignore)).values()) == {0}
    assert await target.read(version) == HEAD


@TO_BOTH
async def test_numbers_of_deleted_rows_are_not_given_again(database: Database, target: Database) -> None:
    """The numbers of deleted rows are not reused, because processes remember the last change that they have read, and cache shop
    objects by shop id."""
    await fill(database)
    before = {**await database.read(last_numbers), "shops": 77}

    def work(connection: Connection) -> None:
        connection.execute(delete(platform_changes))
        set_last_numbers(connection, before)

    await database.write(work)
    await copy_database(database, target, "source", ignore)
    after = await target.read(last_numbers)
    assert after["platform_changes"] == before["platform_changes"] > 0
    assert (after["shops"], after["subscriptions"]) == (77, before["subscriptions"])

    def add(connection: Connection) -> int:
        key = connection.execute(select(shops.c.id)).scalars().first()
        row = {"shop_id": key, "kind": "product", "recorded_at": 1}
        added = connection.execute(insert(platform_changes).values(row).returning(platform_changes.c.number))
        return int(added.scalar_one())

    assert await target.write(add) == before["platform_changes"] + 1


@ACROSS
async def test_a_target_with_rows_is_refused_and_stays(database: Database, target: Database) -> None:
    await fill(database, 1)
    await target.write(upgrade)
    await fill(target, 2, 1)
    before = await all_rows(target)
    with pytest.raises(CopyFailed, match="not empty: its table api_keys has rows"):
        await copy_database(database, target, "source", ignore)
    assert await all_rows(target) == before
    assert await target.read(version) == HEAD


@ACROSS
async def test_a_target_with_tables_of_others_is_refused(database: Database, target: Database) -> None:
    await target.write(lambda connection: connection.execute(text("CREATE TABLE orders (id INTEGER)")))
    with pytest.raises(CopyFailed, match="it has a table orders"):
        await copy_database(database, target, "source", ignore)
    assert await target.read(_tables) == {"orders"}


@ACROSS
async def test_empty_tables_in_the_target_are_used(database: Database, target: Database) -> None:
    await fill(database)
    await target.write(upgrade)
    await copy_database(database, target, "source", ignore)
    assert await all_rows(target) == await all_rows(database)


@ACROSS
@pytest.mark.parametrize("steps", [0, 7, 45])
async def test_an_interrupted_copy_continues(steps: int, database: Database, target: Database) -> None:
    await fill(database)
    await interrupted_copy(database, target, steps)
    with pytest.raises(StorageUnavailable, match="unfinished copy"):
        await target.read(version)
    with pytest.raises(StorageUnavailable, match="unfinished copy"):
        await target.write(upgrade)

    written: list[str] = []
    await copy_database(database, target, "source", lambda step, _done, _total: written.append(step))
    everything = sum(-(-3 // (1 if "document" in table.c else 2)) for table in metadata.sorted_tables)
    assert len([step for step in written if step != "compared"]) == max(0, everything - steps - 1)
    assert await all_rows(target) == await all_rows(database)
    assert await target.read(_tables) == {*metadata.tables, "alembic_version"}


@ACROSS
async def test_a_copy_does_not_continue_when_what_it_has_changed(
    database: Database, target: Database, new_address: NewAddress
) -> None:
    await fill(database)
    await interrupted_copy(database, target, await step_of(database, "api_keys", new_address))
    await database.write(lambda connection: connection.execute(update(api_keys).values(label="new")).rowcount)
    with pytest.raises(CopyFailed, match=r"source has changed .* \(api_keys\)"):
        await copy_database(database, target, "source", ignore)
    with pytest.raises(StorageUnavailable, match="unfinished copy"):
        await target.read(version)


@ACROSS
async def test_a_copy_does_not_continue_when_a_row_was_added_before_its_last(
    database: Database, target: Database, new_address: NewAddress
) -> None:
    await fill(database)
    await interrupted_copy(database, target, await step_of(database, "stock_reminders", new_address))

    def add(connection: Connection) -> None:
        first = select(func.min(shops.c.id)).scalar_subquery()
        row = {"variant_id": -5, "email": "a", "bundle_name": "", "created_at": 1}
        connection.execute(insert(stock_reminders).values(shop_id=first, **row))

    await database.write(add)
    with pytest.raises(CopyFailed, match=r"source has changed .* \(stock_reminders\)"):
        await copy_database(database, target, "source", ignore)


@ACROSS
async def test_a_change_of_what_was_not_copied_yet_is_in_the_copy(database: Database, target: Database) -> None:
    await fill(database)
    await interrupted_copy(database, target, 4)
    await database.write(lambda connection: connection.execute(update(stock_reminders).values(email="new")).rowcount)
    await copy_database(database, target, "source", ignore)
    assert await all_rows(target) == await all_rows(database)


@ACROSS
async def test_an_unfinished_copy_of_another_database_is_refused(database: Database, target: Database) -> None:
    await fill(database)
    await interrupted_copy(database, target, 4, "/var/first.db")
    with pytest.raises(CopyFailed, match=r"unfinished copy of /var/first\.db"):
        await copy_database(database, target, "/var/second.db", ignore)


@ACROSS
async def test_two_copies_to_one_target_do_not_mix(database: Database, target: Database) -> None:
    await fill(database)
    await interrupted_copy(database, target, 0)
    ahead = Extent(17, 17, (17,))
    with pytest.raises(CopyFailed, match="Another copy"):
        await target.write(lambda connection: add_rows(connection, shops, [], ahead, ahead))
    await copy_database(database, target, "source", ignore)
    assert await all_rows(target) == await all_rows(database)


@ACROSS
async def test_a_row_that_changed_in_the_target_is_found(database: Database, target: Database, to: str) -> None:
    await fill(database)
    await interrupted_copy(database, target, 45)
    await target.write(lambda connection: connection.execute(update(api_keys).values(rate_limit=1)).rowcount)
    with pytest.raises(CopyFailed, match="api_keys: the 3 rows in the target are not the 3 of the source"):
        await copy_database(database, target, "source", ignore)


@ACROSS
async def test_a_snapshot_does_not_see_later_writes(database: Database, target: Database) -> None:
    await fill(database)
    before = await all_rows(database)
    async with database.snapshot() as read:
        assert await read(lambda connection: connection.execute(select(func.count(shops.c.id))).scalar()) == 3
        await database.write(lambda connection: connection.execute(update(shops).values(revision=99)).rowcount)
        found = await read(lambda connection: connection.execute(select(shops.c.revision)).scalars().all())
    assert 99 not in found
    assert await all_rows(database) != before


@pytest.mark.process
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_text_that_postgresql_refuses_is_reported(
    database: Database, new_address: NewAddress, tmp_path: Path
) -> None:
    await fill(database)
    with closing(sqlite3.connect(tmp_path / "test.db")) as connection:
        connection.execute("UPDATE configured_bundles SET title = 'a' || char(0)")
        connection.commit()
    async with open_database(new_address("postgresql")) as target:
        with pytest.raises(CopyFailed, match=r"configured_bundles.*0x00"):
            await copy_database(database, target, "source", ignore)


def _tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())
