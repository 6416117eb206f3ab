"""The single SQLite writer: every confirmed write is stored completely and is on disk, and no unconfirmed write is stored."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import closing

import pytest
from sqlalchemy import Column, Connection, MetaData, Table, Text, event
from sqlalchemy.exc import DBAPIError, IntegrityError

from bundlesvc.domain.errors import StorageFull, StorageLocked, StorageReadOnly, StorageUnavailable
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.prepared_insert import PreparedInsert
from bundlesvc.storage.database.scheduling.grouping import MAX_GROUP
from bundlesvc.storage.database.sqlite import connections
from bundlesvc.storage.database.sqlite.file import SqliteDatabase
from bundlesvc.storage.database.transaction import Conflict, Insertion, Work
from tests.storage.conftest import IMPATIENT_MS
from tests.storage.locking import another_process_writing, writing


@pytest.fixture
def kind() -> str:
    return "sqlite"


_NOTE = "CREATE TABLE note (text TEXT NOT NULL UNIQUE)"


class WorkFailed(Exception):
    """Raised by a unit of work itself, to make it fail."""


def note(*texts: str) -> Work[int]:
    """Build work that writes these notes and returns their number."""

    def work(connection: Connection) -> int:
        for text in texts:
            connection.exec_driver_sql("INSERT INTO note VALUES (?)", (text,))
        return len(texts)

    return work


def failing(*texts: str) -> Work[int]:
    """Build work that writes notes and then fails."""

    def work(connection: Connection) -> int:
        note(*texts)(connection)
        raise WorkFailed

    return work


_INSERT_NOTE = PreparedInsert(Table("note", MetaData(), Column("text", Text)))


def insertion(*texts: str) -> Callable[[], Insertion[int]]:
    """Return a function that builds the insertion of notes with these texts."""
    return lambda: Insertion([(_INSERT_NOTE, {"text": text}) for text in texts], len(texts))


def no_work(_: Connection) -> int:
    raise AssertionError("the insertion should have been made instead")


def limit_pages(more: int) -> Work[None]:
    """Return work that allows the database to grow by at most this number of pages, to simulate a disk that is almost full."""

    def work(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + more}")

    return work


def notes(connection: Connection) -> list[str]:
    return list(connection.exec_driver_sql("SELECT text FROM note ORDER BY rowid").scalars())


def on_disk(settings: Settings) -> list[str]:
    """Return the notes in the database file, as read over a separate connection."""
    with closing(sqlite3.connect(settings.database)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM note ORDER BY rowid")]


class Held:
    """Work that writes a note, waits until it is released, and then writes another note."""

    def __init__(self, first: str = "first", second: str = "second") -> None:
        self.texts = (first, second)
        self.started = threading.Event()
        self.released = threading.Event()

    def __call__(self, connection: Connection) -> None:
        note(self.texts[0])(connection)
        self.started.set()
        self.released.wait(10)
        note(self.texts[1])(connection)

    async def has_started(self) -> None:
        await asyncio.to_thread(self.started.wait, 10)


@pytest.fixture
async def pad(settings: Settings) -> AsyncIterator[Database]:
    """A database with a table of notes."""
    async with open_database(settings.database) as database:
        await database.write(lambda connection: connection.exec_driver_sql(_NOTE).close())
        yield database


@pytest.fixture
async def impatient_pad(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Database]:
    """A database with a table of notes and a lock timeout of milliseconds instead of seconds."""
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_MS", IMPATIENT_MS)
    async with open_database(settings.database) as database:
        await database.write(lambda connection: connection.exec_driver_sql(_NOTE).close())
        yield database


def count_commits(database: Database) -> list[Connection]:
    """Return a list to which an entry is added for every commit from now on."""
    assert isinstance(database, SqliteDatabase)
    commits: list[Connection] = []
    event.listen(database._writing, "commit", commits.append)
    return commits


def trace(database: Database) -> list[str]:
    """Return a list to which every statement of the connection for writing is added from now on."""
    assert isinstance(database, SqliteDatabase)
    statements: list[str] = []
    with closing(database._writing.raw_connection()) as connection:
        connection.cursor().connection.set_trace_callback(statements.append)
    return statements


async def test_a_write_is_on_disk_before_it_returns(pad: Database, settings: Settings) -> None:
    assert await pad.write(note("a", "b")) == 2
    assert on_disk(settings) == ["a", "b"]
    assert await pad.read(notes) == ["a", "b"]


async def test_failed_work_leaves_nothing_and_spares_the_rest_of_its_group(pad: Database) -> None:
    commits = count_commits(pad)

    results = await asyncio.gather(
        pad.write(note("before")),
        pad.write(failing("lost", "lost too")),
        pad.write(note("after")),
        return_exceptions=True,
    )

    assert len(commits) == 1, "the three should share a transaction"
    assert isinstance(results[1], WorkFailed)
    assert [results[0], results[2]] == [1, 1]
    assert await pad.read(notes) == ["before", "after"]


async def test_insertions_of_a_group_share_a_statement(pad: Database) -> None:
    assert isinstance(pad, SqliteDatabase)
    statements: list[str] = []
    event.listen(pad._writing, "before_cursor_execute", lambda *event: statements.append(event[2]))

    results = await asyncio.gather(
        pad.write(no_work, insertion("a")),
        pad.write(note("work")),
        pad.write(no_work, insertion("b", "c")),
    )

    assert list(results) == [1, 1, 2]
    assert statements == ["BEGIN IMMEDIATE", "INSERT INTO note (text) VALUES (?)", "INSERT INTO note VALUES (?)"]
    assert await pad.read(notes) == ["a", "b", "c", "work"]


async def test_insertions_of_a_group_share_a_savepoint(pad: Database) -> None:
    statements = trace(pad)

    results = await asyncio.gather(
        pad.write(no_work, insertion("a")),
        pad.write(note("work")),
        pad.write(no_work, insertion("b", "c")),
    )

    assert list(results) == [1, 1, 2]
    assert statements == [
        "BEGIN IMMEDIATE",
        "SAVEPOINT work",
        "INSERT INTO note (text) VALUES ('a')",
        "INSERT INTO note (text) VALUES ('b')",
        "INSERT INTO note (text) VALUES ('c')",
        "RELEASE SAVEPOINT work",
        "SAVEPOINT work",
        "INSERT INTO note VALUES ('work')",
        "RELEASE SAVEPOINT work",
        "COMMIT",
    ]
    assert await pad.read(notes) == ["a", "b", "c", "work"]


async def test_when_one_insertion_fails_all_run_as_work(pad: Database) -> None:
    await pad.write(note("taken"))

    def find(connection: Connection) -> int:
        return notes(connection).index("taken")

    results = await asyncio.gather(
        pad.write(note("before"), insertion("before")),
        pad.write(find, insertion("new", "taken")),
        pad.write(note("taken"), insertion("taken")),
        pad.write(note("after"), insertion("after")),
        return_exceptions=True,
    )

    assert [results[0], results[1], results[3]] == [1, 0, 1]
    assert isinstance(results[2], Conflict)
    assert await pad.read(notes) == ["taken", "before", "after"]


async def test_an_insertion_that_cannot_be_prepared_fails_for_its_caller_alone(pad: Database) -> None:
    def unprepared() -> Insertion[int]:
        raise WorkFailed

    results = await asyncio.gather(
        pad.write(failing("lost"), unprepared), pad.write(note("stored"), insertion("stored")), return_exceptions=True
    )

    assert isinstance(results[0], WorkFailed)
    assert results[1] == 1
    assert await pad.read(notes) == ["stored"]


async def test_each_caller_gets_the_result_of_its_own_work(pad: Database) -> None:
    def give_back(number: int) -> Work[int]:
        return lambda _: number

    assert await asyncio.gather(*(pad.write(give_back(number)) for number in range(300))) == list(range(300))


async def test_work_is_done_in_order_of_arrival(pad: Database) -> None:
    texts = [f"{number}" for number in range(MAX_GROUP * 2 + 10)]
    await asyncio.gather(*(pad.write(note(text)) for text in texts))
    assert await pad.read(notes) == texts


async def test_later_work_sees_earlier_work(pad: Database) -> None:
    _, seen = await asyncio.gather(pad.write(note("there")), pad.write(notes))
    assert seen == ["there"]


def test_a_savepoint_commits_by_itself_without_an_explicit_begin(settings: Settings) -> None:
    """Without an explicit BEGIN, a savepoint commits on its own, so rolling back the apparent outer transaction undoes nothing.
    This is how Python's sqlite3 behaves by default."""
    with closing(sqlite3.connect(settings.database)) as connection:
        connection.execute(_NOTE)
        connection.execute("SAVEPOINT work")
        connection.execute("INSERT INTO note VALUES ('undone?')")
        connection.execute("RELEASE SAVEPOINT work")
        connection.rollback()
    assert on_disk(settings) == ["undone?"]


async def test_a_rolled_back_transaction_leaves_nothing_of_released_savepoints(
    pad: Database, settings: Settings
) -> None:
    def become_read_only(connection: Connection) -> None:
        assert notes(connection) == ["released"], "the first work should be in the same transaction"
        connection.exec_driver_sql("PRAGMA query_only = ON")
        note("refused")(connection)

    results = await asyncio.gather(pad.write(note("released")), pad.write(become_read_only), return_exceptions=True)

    assert [type(result) for result in results] == [StorageReadOnly, StorageReadOnly]
    assert on_disk(settings) == []


async def test_a_wrong_statement_fails_alone(pad: Database, settings: Settings) -> None:
    def wrong(connection: Connection) -> None:
        note("undone")(connection)
        connection.exec_driver_sql("SELECT * FROM no_such_table")

    commits = count_commits(pad)
    first, second, third = await asyncio.gather(
        pad.write(note("before")), pad.write(wrong), pad.write(note("after")), return_exceptions=True
    )

    assert (first, type(second), third) == (1, StorageUnavailable, 1)
    assert on_disk(settings) == ["before", "after"]
    assert len(commits) == 1
    assert pad.health.failure is None


async def test_work_that_does_not_fit_on_the_disk_fails_alone(pad: Database, settings: Settings) -> None:
    await pad.write(limit_pages(8))
    results = await asyncio.gather(
        pad.write(note("before")), pad.write(note("x" * 100_000)), pad.write(note("after")), return_exceptions=True
    )
    assert [type(result) for result in results] == [int, StorageFull, int]
    assert on_disk(settings) == ["before", "after"]


async def test_the_failure_of_work_names_its_cause(pad: Database) -> None:
    with pytest.raises(StorageUnavailable) as refused:
        await pad.write(lambda connection: connection.exec_driver_sql("SELECT * FROM no_such_table").close())
    assert isinstance(refused.value.__cause__, DBAPIError)


async def test_a_duplicate_of_a_unique_row_raises_conflict(pad: Database) -> None:
    first, second, third = await asyncio.gather(
        pad.write(note("one")), pad.write(note("two", "one")), pad.write(note("three")), return_exceptions=True
    )
    assert (first, third) == (1, 1)
    assert isinstance(second, Conflict)
    assert isinstance(second.__cause__, IntegrityError)
    assert await pad.read(notes) == ["one", "three"]


async def test_many_writers_share_few_commits(pad: Database, settings: Settings) -> None:
    commits = count_commits(pad)
    texts = [f"{number}" for number in range(1000)]

    await asyncio.gather(*(pad.write(note(text)) for text in texts))

    assert sorted(on_disk(settings)) == sorted(texts)
    assert len(commits) <= len(texts) / MAX_GROUP + 2


async def test_writes_that_arrive_during_a_commit_share_the_next_one(pad: Database) -> None:
    commits = count_commits(pad)
    held = Held()
    first = asyncio.create_task(pad.write(held))
    await held.has_started()
    others = asyncio.gather(*(pad.write(note(f"{number}")) for number in range(50)))
    await asyncio.sleep(0)
    held.released.set()
    await first
    await others
    assert len(commits) == 2


@pytest.mark.parametrize("stage", ["waiting", "under way"])
async def test_the_write_of_a_cancelled_caller_is_complete(stage: str, pad: Database) -> None:
    blocker, held = Held("a", "b"), Held()
    before = asyncio.create_task(pad.write(blocker))
    await blocker.has_started()
    caller = asyncio.create_task(pad.write(held))
    await asyncio.sleep(0)
    if stage == "under way":
        blocker.released.set()
        await held.has_started()

    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    blocker.released.set()
    held.released.set()
    await before
    await pad.write(note("third"))

    assert await pad.read(notes) == ["a", "b", "first", "second", "third"]


async def test_closing_writes_queued_work(settings: Settings) -> None:
    texts = [f"{number}" for number in range(MAX_GROUP * 2)]
    async with open_database(settings.database) as database:
        await database.write(lambda connection: connection.exec_driver_sql(_NOTE).close())
        writes = [asyncio.create_task(database.write(note(text))) for text in texts]
        await asyncio.sleep(0)
        assert not any(write.done() for write in writes)

    assert on_disk(settings) == texts
    assert [await write for write in writes] == [1] * len(texts)
    with pytest.raises(StorageUnavailable):
        await database.write(note("too late"))
    assert on_disk(settings) == texts


async def test_closing_leaves_no_thread_and_no_connection(settings: Settings) -> None:
    before = set(threading.enumerate())
    async with open_database(settings.database) as database:
        await database.write(lambda connection: connection.exec_driver_sql(_NOTE).close())
        await database.read(notes)
    for thread in set(threading.enumerate()) - before:
        thread.join(10)  # it may take a moment to end
        assert not thread.is_alive()
    with closing(sqlite3.connect(settings.database, timeout=0)) as connection:
        (mode,) = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    assert mode == "delete", "a connection is still open"


async def test_a_write_waits_for_a_short_lock(pad: Database, settings: Settings) -> None:
    with writing(settings.database) as other:
        asyncio.get_running_loop().call_later(0.05, other.execute, "COMMIT")
        assert await pad.write(note("patient")) == 1


@pytest.mark.process
async def test_writes_succeed_after_another_process_releases_its_lock(
    impatient_pad: Database, settings: Settings
) -> None:
    with another_process_writing(settings.database):
        results = await asyncio.gather(
            *(impatient_pad.write(note(f"{number}")) for number in range(3)), return_exceptions=True
        )
        assert [type(result) for result in results] == [StorageLocked] * 3
        assert await impatient_pad.read(notes) == []
        with pytest.raises(StorageUnavailable):
            await impatient_pad.write(note("still locked"))

    assert await impatient_pad.write(note("unlocked")) == 1
    assert on_disk(settings) == ["unlocked"]


async def test_a_wrong_statement_fails_its_own_caller_only(pad: Database) -> None:
    """A value that the driver cannot convert makes only its own call fail."""

    def too_large(connection: Connection) -> None:
        connection.exec_driver_sql("INSERT INTO note VALUES (?)", (2**70,))

    first, second, third = await asyncio.gather(
        pad.write(note("one")), pad.write(too_large), pad.write(note("three")), return_exceptions=True
    )
    assert (first, third) == (1, 1)
    assert isinstance(second, Exception)
    assert await pad.read(notes) == ["one", "three"]
