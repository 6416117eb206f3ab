"""A write is stored completely and exactly once, and a later writer does not undo an earlier write."""

import asyncio

import pytest
from sqlalchemy import Connection, text

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.postgresql.server import WRITERS, PostgresqlDatabase
from bundlesvc.storage.database.transaction import Conflict, Work
from tests.storage.database.postgresql.transactions import Held, note, notes, opened, run, until_one_waits


async def test_a_write_is_stored(pad: PostgresqlDatabase) -> None:
    assert await pad.write(note("a", "b")) == 2
    assert await pad.read(notes) == ["a", "b"]


async def test_failed_work_stores_nothing_and_is_not_retried(pad: PostgresqlDatabase) -> None:
    class WorkFailed(Exception):
        pass

    times = 0

    def failing(connection: Connection) -> None:
        nonlocal times
        times += 1
        note("lost")(connection)
        raise WorkFailed

    with pytest.raises(WorkFailed):
        await pad.write(failing)
    assert times == 1
    assert await pad.read(notes) == []


async def test_each_caller_gets_the_result_of_its_own_work(pad: PostgresqlDatabase) -> None:
    def give_back(number: int) -> Work[object]:
        return lambda connection: connection.execute(text(f"SELECT {number}")).scalar()

    wanted = list(range(WRITERS * 20))
    assert await asyncio.gather(*(pad.write(give_back(number)) for number in wanted)) == wanted


async def test_a_duplicate_of_a_unique_row_raises_conflict(pad: PostgresqlDatabase) -> None:
    await pad.write(note("one"))
    with pytest.raises(Conflict) as refused:
        await pad.write(note("two", "one"))
    assert "note_text_key" in str(refused.value.__cause__)
    assert await pad.read(notes) == ["one"]


async def test_the_second_transaction_sees_the_first_one(pad: PostgresqlDatabase) -> None:
    """The second transaction sees the data of the first one, even though both read before either has written."""

    def write_unless_there(connection: Connection) -> bool:
        return "one" not in notes(connection) and bool(note("one")(connection))

    first = Held(note("one"))
    writing = asyncio.create_task(pad.write(first))
    await first.started.wait()
    second = asyncio.create_task(pad.write(write_unless_there))
    await until_one_waits(pad)
    first.released.set()
    await writing
    assert await second is False


async def test_both_transactions_of_a_deadlock_succeed(pad: PostgresqlDatabase) -> None:
    await pad.write(note("a", "b"))

    def mark(key: str) -> Work[None]:
        return run(f"UPDATE note SET text = text || '!' WHERE text LIKE '{key}%'")

    works = [Held(mark("a"), mark("b")), Held(mark("b"), mark("a"))]
    writes = [asyncio.create_task(pad.write(work)) for work in works]
    for work in works:
        await work.started.wait()
    for work in works:
        work.released.set()
    await asyncio.gather(*writes)
    assert await pad.read(notes) == ["a!!", "b!!"]
    assert max(work.times for work in works) > 1, "the server should cancel one"


async def test_a_read_waits_for_no_write(pad: PostgresqlDatabase) -> None:
    """A read does not wait for a write, even when every connection for writing is in use."""
    held = [Held(note(f"{number}")) for number in range(WRITERS)]
    writes = [asyncio.create_task(pad.write(work)) for work in held]
    for work in held:
        await work.started.wait()
    assert await pad.read(notes) == []
    for work in held:
        work.released.set()
    await asyncio.gather(*writes)
    assert len(await pad.read(notes)) == WRITERS


async def test_the_write_of_a_cancelled_caller_is_complete(pad: PostgresqlDatabase, bare: Settings) -> None:
    held = Held(note("first"), note("second"))
    caller = asyncio.create_task(pad.write(held))
    await held.started.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    held.released.set()
    await pad.close()
    async with opened(bare.database) as later:
        assert await later.read(notes) == ["first", "second"]


async def test_the_failure_of_a_cancelled_caller_is_not_logged(pad: PostgresqlDatabase) -> None:
    """The failure of work whose caller was cancelled is not logged as "never retrieved" on standard error."""
    held = Held(note("first"), run("SELECT 1 / 0"))
    caller = asyncio.create_task(pad.write(held))
    await held.started.wait()
    caller.cancel()
    held.released.set()
    await pad.close()
    assert caller.cancelled() or caller.done()


async def test_closing_finishes_running_work_and_refuses_more(pad: PostgresqlDatabase, bare: Settings) -> None:
    texts = [f"{number:03}" for number in range(WRITERS * 10)]
    writes = [asyncio.create_task(pad.write(note(each))) for each in texts]
    await asyncio.sleep(0)
    await pad.close()
    assert [await write for write in writes] == [1] * len(texts)
    with pytest.raises(StorageUnavailable):
        await pad.write(note("too late"))
    async with opened(bare.database) as later:
        assert await later.read(notes) == texts


@pytest.mark.parametrize(
    ("value", "reason"),
    [("\x00", "a NUL character"), ("x" * 101, "too long"), ("\ud800", "no text"), (2**70, "no number that fits")],
    ids=["nul", "long", "surrogate", "number"],
)
async def test_a_value_that_cannot_be_stored_fails_its_own_caller_only(
    value: object, reason: str, pad: PostgresqlDatabase
) -> None:
    def store(connection: Connection) -> None:
        connection.execute(text("INSERT INTO note VALUES (:text)"), {"text": value})

    results = await asyncio.gather(
        pad.write(note("one")), pad.write(store), pad.write(note("three")), return_exceptions=True
    )
    assert (results[0], results[2]) == (1, 1)
    assert isinstance(results[1], StorageUnavailable), reason
    assert await pad.read(notes) == ["one", "three"]
