"""The PostgreSQL server stops, does not respond, restarts or has no free connections, or a connection is lost during a unit of
work. Errors are raised within a bounded time, and the service recovers without intervention."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.postgresql.server import READERS, WRITERS, PostgresqlDatabase
from tests.servers.postgres_server import PostgresServer
from tests.storage.database.postgresql.transactions import Held, note, notes, opened, run, scalar, until_one_waits
from tests.storage.database.postgresql.wire import Wire
from tests.storage.methods import ALL
from tests.storage.prepared import the_shop

SHORT = 1.0
"""A timeout in seconds, for tests that wait until it expires."""

TENANT = Tenant(1, 1, the_shop().shop)

Act = Callable[[PostgresqlDatabase], Awaitable[object]]

ACTS: dict[str, Act] = {
    "read": lambda database: database.read(notes),
    "write": lambda database: database.write(note("new")),
}

either = pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)


async def seconds(work: Awaitable[object]) -> float:
    """Measure the seconds until the work raises StorageUnavailable."""
    begun = time.monotonic()
    with pytest.raises(StorageUnavailable) as refused:
        await work
    assert refused.value.__cause__ is not None
    return time.monotonic() - begun


async def warmed(database: PostgresqlDatabase) -> None:
    """Open all connections of the pool, and return them to it."""
    await asyncio.gather(
        *(database.read(scalar("SELECT pg_sleep(0.05)::text")) for _ in range(READERS)),
        *(database.write(scalar("SELECT pg_sleep(0.05)::text")) for _ in range(WRITERS)),
    )


@pytest.mark.parametrize("name", ALL)
async def test_a_stopped_server_raises_storage_unavailable(name: str, tmp_path: Path, unused_tcp_port: int) -> None:
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
async def test_a_database_without_tables_raises_storage_unavailable(name: str, tableless: str, tmp_path: Path) -> None:
    async with opened(tableless) as empty:
        with pytest.raises(StorageUnavailable):
            await ALL[name](empty, TENANT, tmp_path)


@either
async def test_a_missing_database_raises_storage_unavailable(act: Act, postgres: PostgresServer) -> None:
    async with opened(postgres.url("nothing_of_this_name")) as database:
        await seconds(act(database))


@either
async def test_a_network_that_falls_silent_times_out(
    act: Act, pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    """A network that falls silent on an open connection causes a timeout. Work succeeds once the network is back."""
    async with opened(over_wire, SHORT) as database:
        await warmed(database)
        wire.go_silent()
        assert await seconds(act(database)) < SHORT + 3
        wire.flow_again()
        await act(database)


async def test_connecting_over_a_silent_network_times_out(pad: PostgresqlDatabase, wire: Wire, over_wire: str) -> None:
    wire.go_silent()
    async with opened(over_wire, SHORT) as database:
        assert await seconds(database.read(notes)) < SHORT + 3
        wire.flow_again()
        assert await database.read(notes) == []


async def test_all_calls_on_a_silent_network_time_out(pad: PostgresqlDatabase, wire: Wire, over_wire: str) -> None:
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
    monkeypatch.setattr("bundlesvc.storage.database.postgresql.server.CLOSE_SECONDS", SHORT)
    async with opened(over_wire, SHORT) as database:
        await warmed(database)
        wire.go_silent()
        begun = time.monotonic()
        await database.close()
        assert time.monotonic() - begun < SHORT + 3
        wire.flow_again()


@either
async def test_no_call_fails_after_a_restart_of_the_server(act: Act, postgres: PostgresServer) -> None:
    """After a restart of the server, every open connection is dead. Each is discarded on its first use, and the work is done on a
    new connection."""
    name = postgres.new_database()
    async with opened(postgres.url(name)) as database:
        await database.write(run("CREATE TABLE note (text TEXT)"))
        await warmed(database)
        postgres.stop()
        postgres.start()
        await act(database)
        assert await database.read(scalar("SELECT count(*) FROM note")) in {0, 1}


@either
async def test_no_call_fails_after_the_server_ends_our_connections(act: Act, pad: PostgresqlDatabase) -> None:
    """No call fails after the server has terminated the service's connections, as an operator or a failover may do."""
    await warmed(pad)
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    await pad.read(scalar(f"SELECT count(*) FROM ({others} AND pid <> pg_backend_pid()) AS ended"))
    await act(pad)


async def test_work_is_retried_when_its_connection_is_lost(pad: PostgresqlDatabase, wire: Wire, over_wire: str) -> None:
    async with opened(over_wire) as database:
        wire.cut_before = b"INSERT"
        assert await database.write(note("a", "b")) == 2
    assert await pad.read(notes) == ["a", "b"]


async def test_a_commit_that_does_not_reach_the_server_fails(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    async with opened(over_wire) as database:
        wire.cut_before = b"COMMIT;"
        await seconds(database.write(note("lost")))
        assert await database.read(notes) == []
        assert await database.write(note("lost")) == 1


async def test_a_commit_whose_response_is_lost_fails_and_is_not_retried(
    pad: PostgresqlDatabase, wire: Wire, over_wire: str
) -> None:
    """A commit whose response is lost fails and is not retried, because it is unknown whether the data is stored. When the caller
    retries, the data is found."""
    async with opened(over_wire) as database:
        wire.cut_after = b"COMMIT;"
        await seconds(database.write(run("INSERT INTO note SELECT 'note ' || count(*) FROM note")))
        assert await pad.read(notes) == ["note 0"]


async def test_waiting_for_a_lock_times_out(pad: PostgresqlDatabase, bare: Settings) -> None:
    held = Held(run("LOCK TABLE note IN ACCESS EXCLUSIVE MODE"))
    locking = asyncio.create_task(pad.write(held))
    await held.started.wait()
    async with opened(bare.database, SHORT) as database:
        for act in ACTS.values():
            assert await seconds(act(database)) < SHORT + 3
        held.released.set()
        await locking
        await asyncio.gather(*(database.write(note(f"{number}")) for number in range(WRITERS * 3)))


async def test_a_server_without_free_connections_raises_storage_unavailable(
    pad: PostgresqlDatabase, postgres: PostgresServer
) -> None:
    postgres.sql("CREATE ROLE crowded LOGIN CONNECTION LIMIT 1")
    name = str(await pad.read(scalar("SELECT current_database()")))
    async with opened(postgres.url(name, "crowded")) as first, opened(postgres.url(name, "crowded")) as second:
        held = Held(scalar("SELECT 1"))
        holding = asyncio.create_task(first.write(held))
        await held.started.wait()
        assert await seconds(second.read(scalar("SELECT 1"))) < 5
        held.released.set()
        await holding
        await first.close()
        assert await second.read(scalar("SELECT 1")) == 1


async def test_a_connection_to_a_read_only_server_is_replaced(pad: PostgresqlDatabase) -> None:
    """After a failover, a connection may still lead to the former primary server. The next attempt opens a new connection."""
    await pad.write(run("SET default_transaction_read_only = on"))
    assert await asyncio.gather(*(pad.write(note(f"{number}")) for number in range(WRITERS))) == [1] * WRITERS


async def test_no_call_fails_when_tables_change_under_a_running_process(
    pad: PostgresqlDatabase, bare: Settings
) -> None:
    """When another process upgrades the tables, statements that were prepared for the old tables are prepared again."""
    for _ in range(READERS + WRITERS):
        await pad.read(notes)
        await pad.write(notes)
    async with opened(bare.database) as other:
        await other.write(run("ALTER TABLE note ALTER COLUMN text TYPE TEXT"))
    for _ in range(READERS + WRITERS):
        await pad.read(notes)
        await pad.write(notes)


async def test_a_read_that_times_out_is_cancelled_at_the_server(pad: PostgresqlDatabase, bare: Settings) -> None:
    held = Held(run("LOCK TABLE note IN ACCESS EXCLUSIVE MODE"))
    locking = asyncio.create_task(pad.write(held))
    await held.started.wait()
    async with opened(bare.database, SHORT) as database:
        reading = asyncio.create_task(seconds(database.read(notes)))
        await until_one_waits(pad)
        await reading
        waiting = scalar("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        async with asyncio.timeout(5):
            while await pad.read(waiting):  # noqa: ASYNC110 - the server notifies nobody
                await asyncio.sleep(0.01)
    held.released.set()
    await locking
