"""A URL with two hosts: when the first host dies and the second takes over, writes continue on the second."""

import asyncio
from collections.abc import Iterator

import pytest

from bundlesvc.domain.errors import StorageReadOnly, StorageUnavailable
from bundlesvc.storage.database.health.causes import cause
from bundlesvc.storage.database.postgresql import connections
from bundlesvc.storage.database.postgresql.failures import may_come
from tests.servers.postgres_server import PostgresServer, postgres_server
from tests.storage.database.postgresql.transactions import note, notes, opened, run, scalar
from tests.storage.database.postgresql.wire import wire_to

pytestmark = pytest.mark.process

Pair = tuple[PostgresServer, PostgresServer]


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """A primary server and its standby."""
    with postgres_server() as primary, primary.standby() as standby:
        yield primary, standby


def url(*ports: int, session: str) -> str:
    hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
    return f"postgresql://postgres@{hosts}/postgres?target_session_attrs={session}"


_PORT = scalar("SELECT inet_server_port()")


@pytest.mark.parametrize(
    ("session", "place"),
    [("any", 1), ("read-write", 0), ("primary", 0), ("standby", 1), ("read-only", 1), ("prefer-standby", 1)],
)
async def test_the_host_with_the_role_is_used(session: str, place: int, pair: Pair) -> None:
    ports = [server.port for server in pair]
    async with opened(url(*reversed(ports), session=session)) as database:
        assert await database.read(_PORT) == ports[place]


async def test_a_primary_stands_in_for_a_preferred_standby(pair: Pair, unused_tcp_port: int) -> None:
    async with opened(url(unused_tcp_port, pair[0].port, session="prefer-standby")) as database:
        assert await database.read(_PORT) == pair[0].port


async def test_a_preferred_standby_that_is_back_is_used_again(
    pair: Pair, unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "STANDBY_SECONDS", 0)
    async with (
        wire_to(unused_tcp_port) as wire,
        opened(url(wire.port, pair[0].port, session="prefer-standby")) as database,
    ):
        assert await database.read(_PORT) == pair[0].port
        wire.server_port = pair[1].port
        assert await database.read(_PORT) == pair[1].port


async def test_no_host_with_the_role_may_come_later(pair: Pair) -> None:
    """If no host has the required role, for example in the middle of a failover, the failure is considered temporary."""
    async with opened(url(pair[1].port, session="read-write")) as database:
        with pytest.raises(StorageUnavailable) as refused:
            await database.read(_PORT)
    assert may_come(refused.value)
    assert "no host has the role" in str(refused.value.__cause__)


@pytest.mark.parametrize("session", ["read-write", "primary"])
@pytest.mark.parametrize("dead_first", [True, False])
async def test_a_read_only_host_is_reported_beside_a_dead_one(
    session: str, dead_first: bool, pair: Pair, unused_tcp_port: int
) -> None:
    """The error reported is the one from the host that responded, not the refused connection to the other host."""
    ports = (unused_tcp_port, pair[1].port) if dead_first else (pair[1].port, unused_tcp_port)
    async with opened(url(*ports, session=session)) as database:
        with pytest.raises(StorageReadOnly) as refused:
            await database.write(note("text"))
        assert database.health.failure is StorageReadOnly
    assert may_come(refused.value)
    assert "but one responded" in cause(refused.value)


async def test_an_unknown_database_is_reported_before_a_dead_host(pair: Pair, unused_tcp_port: int) -> None:
    address = url(pair[0].port, unused_tcp_port, session="any").replace("/postgres?", "/nowhere?")
    async with opened(address) as database:
        with pytest.raises(StorageUnavailable) as refused:
            await database.read(_PORT)
    assert "nowhere" in cause(refused.value)


async def test_a_silent_host_is_passed_over(pair: Pair) -> None:
    """A host that does not respond is skipped, and is not tried again for every new connection."""
    async with wire_to(pair[0].port) as wire:
        wire.go_silent()
        async with opened(url(wire.port, pair[0].port, session="read-write")) as database:
            assert await database.read(_PORT) == pair[0].port
            await asyncio.gather(*(database.write(scalar("SELECT pg_sleep(0.05)::text")) for _ in range(5)))
        assert wire.accepted == 1
        wire.flow_again()


async def test_writing_goes_on_after_a_failover() -> None:
    with postgres_server() as primary, primary.standby() as standby:
        async with opened(url(primary.port, standby.port, session="read-write")) as database:
            await database.write(run("CREATE TABLE note (text VARCHAR(100) NOT NULL UNIQUE)"))
            await asyncio.gather(*(database.write(note(f"{number}")) for number in range(5)))
            await asyncio.to_thread(standby.catch_up, primary)
            await asyncio.to_thread(primary.crash)
            with pytest.raises(StorageUnavailable):
                await database.write(note("meanwhile"))
            await asyncio.to_thread(standby.promote)
            assert await database.write(note("afterwards")) == 1
            assert await database.read(_PORT) == standby.port
            assert await database.read(notes) == ["0", "1", "2", "3", "4", "afterwards"]
