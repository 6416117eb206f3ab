"""PostgreSQL absent, silent, started anew, full, and gone in the middle: 503 in bounded time, and recovery by itself."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings import Settings
from bundlesvc.storage.postgresql import READERS, WRITERS, PostgresqlDatabase
from tests.postgres_server import PostgresServer
from tests.storage.methods import ALL
from tests.storage.postgresql.transactions import Held, ask, note, notes, opened, run, until_one_waits
from tests.storage.postgresql.wire import Wire
from tests.storage.prepared import the_shop

SHORT = 1.0
"""Seconds of timeout, where it is to end."""

TENANT = Tenant(1, 1, the_shop().shop)

Act = Callable[[PostgresqlDatabase], Awaitable[object]]

ACTS: dict[str, Act] = {
    "read": lambda database: database.read(notes),
    "write": lambda database: database.write(note("new")),
}

either = pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)


async def seconds(work: Awaitable[object]) -> float:
    """How long it took to be refused."""
    begun = time.monotonic()
    with pytest.raises(StorageUnavailable) as refused:
        await work
    assert refused.value.__cause__ is not None
    return time.monotonic() - begun


async def warmed(database: PostgresqlDatabase) -> None:
    """Make every connection that it may have, and let them rest."""
    await asyncio.gather(
        *(database.read(ask("SELECT pg_sleep(0.05)::text")) for _ in range(READERS)),
        *(database.write(ask("SELECT pg_sleep(0.05)::text")) for _ in range(WRITERS)),
    )


@pytest.mark.parametrize("name", ALL)
async def test_an_absent_server_is_unavailable_and_nothing_else(
    name: str, tmp_path: Path, unused_tcp_port: int
) -> None:
    async with opened(f"postgresql://postgres:secret@127.0.0.1:{unused_tcp_port}/shop") as absent:
        with pytest.raises(StorageUnavailable) as refused:
            await ALL[name](absent, TENANT, tmp_path)
    assert refused.value.__cause__ is not None
    assert "secret" not in f"{refused.value}{refused.value.__cause__!r}"


@pytest.fixture(scope="module")
def tableless(postgres: PostgresServer) -> Iterator[str]:
    with postgres.lent(postgres.new_database()) as address:
        yield address


@pytest.mark.parametrize("name", sorted(set(ALL) - {"SqlShopStore.ping"}))
async def test_a_database_without_tables_is_unavailable_and_nothing_else(
    name: str, tableless: str, tmp_path: Path
) -> None:
    async with opened(tableless) as empty:
        with pytest.raises(StorageUnavailable):
            await ALL[name](empty, TENANT, tmp_path)


@either
async def test_a_database_that_is_not_there(act: Act, postgres: PostgresServer) -> None:
    async with opened(postgres.url("nothing_of_this_name")) as database:
        await seconds(act(database))


@either
async def test_a_network_that_goes_silent(act: Act, pad: PostgresqlDatabase, wire: Wire, over_wire: str) -> None:
    """On a connection that was good a moment ago; and once it is back, so are we."""
    async with opened(over_wire, SHORT) as database:
        await warmed(database)
        wire.go_silent()
        assert await seconds(act(database)) < SHORT + 3
        wire.flow_again()
        await act(database)


async def test_a_network_that_is_silent_from_the_start(pad: PostgresqlDatabase, wire: Wire, over_wire: str) -> None:
    wire.go_silent()
    async with opened(over_wire, SHORT) as database:
        assert await seconds(database.read(notes)) < SHORT + 3
        wire.flow_again()
        assert await database.read(notes) == []


async def test_many_that_wait_on_a_silent_network_are_all_told(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    async with opened(over_wire, SHORT) as database:
        await warmed(database)
        wire.go_silent()
        begun = time.monotonic()
        acts = [act(database) for act in ACTS.values() for _ in range(WRITERS * 5)]
        results = await asyncio.gather(*acts, return_exceptions=True)
        assert {type(result) for result in results} == {StorageUnavailable}
        assert time.monotonic() - begun < 5


async def test_closing_does_not_wait_for_a_silent_network(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bundlesvc.storage.postgresql.CLOSE_SECONDS", SHORT)
    async with opened(over_wire, SHORT) as database:
        await warmed(database)
        wire.go_silent()
        begun = time.monotonic()
        await database.close()
        assert time.monotonic() - begun < SHORT + 3
        wire.flow_again()


@either
async def test_a_server_that_was_started_anew_is_not_even_noticed(act: Act, postgres: PostgresServer) -> None:
    """Every connection that we hold is dead; each is given up at its first use, and the work done on a new one."""
    name = postgres.new_database()
    async with opened(postgres.url(name)) as database:
        await database.write(run("CREATE TABLE note (text TEXT)"))
        await warmed(database)
        postgres.stop()
        postgres.start()
        await act(database)
        assert await database.read(ask("SELECT count(*) FROM note")) in {0, 1}


@either
async def test_a_server_that_ends_our_connections_is_not_even_noticed(act: Act, pad: PostgresqlDatabase) -> None:
    """As an operator may, or a failover."""
    await warmed(pad)
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    await pad.read(ask(f"SELECT count(*) FROM ({others} AND pid <> pg_backend_pid()) AS ended"))
    await act(pad)


async def test_work_whose_connection_is_lost_half_way_is_done_again(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    async with opened(over_wire) as database:
        wire.cut_before = b"INSERT"
        assert await database.write(note("a", "b")) == 2
    assert await pad.read(notes) == ["a", "b"]


async def test_a_commit_that_the_server_never_heard_of_is_a_failure(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    async with opened(over_wire) as database:
        wire.cut_before = b"COMMIT;"
        await seconds(database.write(note("lost")))
        assert await database.read(notes) == []
        assert await database.write(note("lost")) == 1


async def test_a_commit_whose_answer_is_lost_is_a_failure_and_is_not_done_twice(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    """Nobody here knows that it is on disk. Whoever asks again finds it there."""
    async with opened(over_wire) as database:
        wire.cut_after = b"COMMIT;"
        await seconds(database.write(run("INSERT INTO note SELECT 'note ' || count(*) FROM note")))
        assert await pad.read(notes) == ["note 0"]


async def test_a_lock_that_is_not_let_go_of(pad: PostgresqlDatabase, bare: Settings) -> None:
    held = Held(run("LOCK TABLE note IN ACCESS EXCLUSIVE MODE"))
    locking = asyncio.create_task(pad.write(held))
    await held.started.wait()
    async with opened(bare.database, SHORT) as database:
        for act in ACTS.values():
            assert await seconds(act(database)) < SHORT + 3
        held.released.set()
        await locking
        await asyncio.gather(*(database.write(note(f"{number}")) for number in range(WRITERS * 3)))


async def test_a_server_that_takes_no_more_connections(pad: PostgresqlDatabase, postgres: PostgresServer) -> None:
    postgres.sql("CREATE ROLE crowded LOGIN CONNECTION LIMIT 1")
    name = str(await pad.read(ask("SELECT current_database()")))
    async with opened(postgres.url(name, "crowded")) as first, opened(postgres.url(name, "crowded")) as second:
        held = Held(ask("SELECT 1"))
        holding = asyncio.create_task(first.write(held))
        await held.started.wait()
        assert await seconds(second.read(ask("SELECT 1"))) < 5
        held.released.set()
        await holding
        await first.close()
        assert await second.read(ask("SELECT 1")) == 1


async def test_a_server_that_only_reads_is_left_for_the_primary_one(pad: PostgresqlDatabase) -> None:
    """After a failover a connection may lie on what was the primary server: the next try makes a new one."""
    await pad.write(run("SET default_transaction_read_only = on"))
    assert await asyncio.gather(*(pad.write(note(f"{number}")) for number in range(WRITERS))) == [1] * WRITERS


async def test_tables_that_are_changed_under_a_running_process_are_not_even_noticed(
    pad: PostgresqlDatabase, bare: Settings
) -> None:
    """By an upgrade that another process does: what was prepared for the old ones is prepared anew."""
    for _ in range(READERS + WRITERS):
        await pad.read(notes)
        await pad.write(notes)
    async with opened(bare.database) as other:
        await other.write(run("ALTER TABLE note ALTER COLUMN text TYPE TEXT"))
    for _ in range(READERS + WRITERS):
        await pad.read(notes)
        await pad.write(notes)


async def test_a_read_that_waits_is_given_up_at_the_server_too(pad: PostgresqlDatabase, bare: Settings) -> None:
    held = Held(run("LOCK TABLE note IN ACCESS EXCLUSIVE MODE"))
    locking = asyncio.create_task(pad.write(held))
    await held.started.wait()
    async with opened(bare.database, SHORT) as database:
        reading = asyncio.create_task(seconds(database.read(notes)))
        await until_one_waits(pad)
        await reading
        waiting = ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        async with asyncio.timeout(5):
            while await pad.read(waiting):  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.01)
    held.released.set()
    await locking
