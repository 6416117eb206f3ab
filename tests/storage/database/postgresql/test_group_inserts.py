"""Insertions that are waiting share a transaction. When one of them fails or has to wait for a lock, the others are not
affected."""

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Connection, select

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.postgresql.group_inserts import GroupInserts
from bundlesvc.storage.database.postgresql.server import PostgresqlDatabase
from bundlesvc.storage.database.scheduling.grouping import MAX_GROUP
from bundlesvc.storage.database.transaction import Conflict, Insertion
from tests.storage.database.postgresql.transactions import (
    NOTE,
    Held,
    insertion,
    note,
    notes,
    opened,
    run,
    scalar,
    until_none_commits,
    until_one_waits,
)
from tests.storage.database.postgresql.wire import Wire

SHORT = 3.0
"""A timeout in seconds, for a test that waits until it expires."""

_SLOW_FUNCTION = """
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$
"""
_SLOW_COMMIT = """
    CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON note DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()
"""
_TRANSACTIONS = scalar("SELECT count(DISTINCT xmin::text) FROM note")


def no_work(_: Connection) -> int:
    raise AssertionError("the insertion should have been made instead")


async def test_insertions_that_wait_share_a_transaction(pad: PostgresqlDatabase) -> None:
    texts = [f"{number:03}" for number in range(MAX_GROUP)]
    made = await asyncio.gather(*(pad.write(no_work, insertion(text, f"{text} too")) for text in texts))
    assert made == [2] * MAX_GROUP
    assert len(await pad.read(notes)) == 2 * MAX_GROUP
    assert await pad.read(_TRANSACTIONS) == 1


async def test_an_insertion_that_fails_does_so_alone(pad: PostgresqlDatabase) -> None:
    await pad.write(note("taken"))

    def find(connection: Connection) -> int:
        return connection.execute(select(NOTE.c.text)).scalars().all().index("taken")

    results = await asyncio.gather(
        pad.write(note("before"), insertion("before")),
        pad.write(find, insertion("new", "taken")),
        pad.write(note("taken"), insertion("taken")),
        pad.write(note("x" * 101), insertion("x" * 101)),
        pad.write(note("after"), insertion("after")),
        return_exceptions=True,
    )

    assert [results[place] for place in (0, 1, 4)] == [1, 0, 1]
    assert [type(results[place]) for place in (2, 3)] == [Conflict, StorageUnavailable]
    assert await pad.read(notes) == ["after", "before", "taken"]
    assert pad.health.failure is None


async def test_an_insertion_that_has_to_wait_for_another_process_waits_alone(
    pad: PostgresqlDatabase, bare: Settings
) -> None:
    async with opened(bare.database) as other:
        held = Held(note("contested"))
        holding = asyncio.create_task(other.write(held))
        await held.started.wait()
        waiting = asyncio.create_task(pad.write(note("contested"), insertion("contested")))
        async with asyncio.timeout(30):
            assert await asyncio.gather(*(pad.write(note(text), insertion(text)) for text in "abc")) == [1, 1, 1]
        await until_one_waits(pad)
        held.released.set()
        await holding
        with pytest.raises(Conflict):
            await waiting
    assert await pad.read(notes) == ["a", "b", "c", "contested"]


async def test_a_group_that_loses_its_connection_is_made_again(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    async with opened(over_wire) as database:
        wire.cut_before = b"INSERT"
        assert await asyncio.gather(*(database.write(note(text), insertion(text)) for text in "abc")) == [1, 1, 1]
    assert await pad.read(notes) == ["a", "b", "c"]


async def test_the_statement_of_a_group_is_prepared_only_once(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    async with opened(over_wire) as database:
        await database.write(no_work, insertion("a"))
        wire.cut_before = b"INSERT"
        assert await asyncio.gather(*(database.write(no_work, insertion(text)) for text in "bc")) == [1, 1]
    assert await pad.read(notes) == ["a", "b", "c"]


async def test_a_group_whose_commit_is_in_doubt_fails_and_is_not_made_again(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    async with opened(over_wire) as database:
        wire.cut_after = b"COMMIT;"
        writes = [database.write(no_work, insertion(text)) for text in "abc"]
        results = await asyncio.gather(*writes, return_exceptions=True)
    assert {type(result) for result in results} == {StorageUnavailable}
    assert await pad.read(notes) == ["a", "b", "c"]


async def test_insertions_behind_a_group_without_a_connection_fail_with_it(
    pad: PostgresqlDatabase, over_wire: str, wire: Wire
) -> None:
    """Insertions that are queued behind a group fail with it if the group gets no connection, because they would wait just as
    long."""
    wire.go_silent()
    async with opened(over_wire, SHORT) as database:
        writes = [asyncio.create_task(database.write(no_work, insertion(str(number)))) for number in range(200)]
        async with asyncio.timeout(30):
            results = await asyncio.gather(*writes, return_exceptions=True)
        wire.flow_again()
        assert {type(result) for result in results} == {StorageUnavailable}
        assert await database.write(no_work, insertion("later")) == 1


async def test_insertions_behind_a_group_whose_connection_is_refused_fail_with_it() -> None:
    refused = StorageUnavailable()
    refused.__cause__ = asyncpg.CannotConnectNowError("the database system is starting up")
    groups = 0

    async def commit(_: Sequence[Insertion[Any]]) -> bool:
        nonlocal groups
        groups += 1
        await asyncio.sleep(0)
        raise refused

    inserts = GroupInserts(commit)
    waiting = (inserts.insert(insertion(str(number))()) for number in range(MAX_GROUP * 3))
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(result) for result in results} == {StorageUnavailable}
    assert groups == 1


async def test_a_group_that_fails_keeps_its_connection(pad: PostgresqlDatabase, wire: Wire, over_wire: str) -> None:
    await pad.write(note("taken"))
    async with opened(over_wire) as database:
        for _ in range(5):
            with pytest.raises(Conflict):
                await database.write(note("taken"), insertion("taken"))
        assert wire.accepted == 1


async def test_a_group_that_takes_too_long_is_cancelled_on_the_server(pad: PostgresqlDatabase, bare: Settings) -> None:
    """If a group takes too long, its transaction is cancelled on the server, because the callers were told that the group
    failed."""
    await pad.write(run(_SLOW_FUNCTION))
    await pad.write(run(_SLOW_COMMIT))
    async with opened(bare.database, SHORT) as database:
        with pytest.raises(StorageUnavailable):
            await database.write(no_work, insertion("late"))
        await until_none_commits(pad)
    assert await pad.read(notes) == []


async def test_closing_makes_the_insertions_that_wait(pad: PostgresqlDatabase, bare: Settings) -> None:
    texts = [f"{number:03}" for number in range(MAX_GROUP * 2)]
    writes = [asyncio.create_task(pad.write(no_work, insertion(text))) for text in texts]
    await asyncio.sleep(0)
    await pad.close()
    assert [await write for write in writes] == [1] * len(texts)
    async with opened(bare.database) as later:
        assert await later.read(notes) == texts


async def test_closing_waits_for_the_separate_writes_of_a_failed_group(pad: PostgresqlDatabase, bare: Settings) -> None:
    await pad.write(note("taken"))
    texts = ["a", "b", "taken", "c"]
    writes = [asyncio.create_task(pad.write(note(text), insertion(text))) for text in texts]
    await asyncio.sleep(0)
    await pad.close()
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert isinstance(results.pop(2), Conflict)
    assert results == [1, 1, 1]
    async with opened(bare.database) as later:
        assert await later.read(notes) == ["a", "b", "c", "taken"]


async def test_an_insertion_of_a_cancelled_caller_is_made(pad: PostgresqlDatabase, bare: Settings) -> None:
    caller = asyncio.create_task(pad.write(no_work, insertion("first")))
    await asyncio.sleep(0)
    caller.cancel()
    await pad.close()
    assert caller.cancelled()
    async with opened(bare.database) as later:
        assert await later.read(notes) == ["first"]


async def test_a_cancelled_caller_whose_group_fails_stores_nothing(pad: PostgresqlDatabase, bare: Settings) -> None:
    await pad.write(note("taken"))
    writes = [asyncio.create_task(pad.write(note(text), insertion(text))) for text in ("kept", "cancelled", "taken")]
    await asyncio.sleep(0)
    writes[1].cancel()
    await pad.close()
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(result) for result in results] == [int, asyncio.CancelledError, Conflict]
    async with opened(bare.database) as later:
        assert await later.read(notes) == ["kept", "taken"]
