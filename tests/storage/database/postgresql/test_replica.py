"""A read replica that streams from the primary server: shop files are read from the replica once they have arrived there, and all
other data is read from the primary."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from prometheus_client import generate_latest

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.errors import StorageBusy
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.health.replica_health import PRIMARY, REPLICA, ReplicaHealth
from bundlesvc.storage.database.health.replica_lag import Lag
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import create_database
from bundlesvc.storage.database.postgresql.replica import ReplicatedDatabase
from bundlesvc.storage.database.scheduling.connection_queue import QueueTimeout
from bundlesvc.storage.maintenance.measurements import DatabaseMeasurements
from tests.conftest import SECRET_KEY
from tests.process.shop import BOX, BOX_VARIANT, MUG
from tests.servers.postgres_server import PostgresServer, postgres_server
from tests.storage.configured_bundles import NOW, configured, idempotency_key, render_response
from tests.storage.database.postgresql.wire import wire_to
from tests.storage.methods import KEY
from tests.storage.prepared import make_postgresql, the_shop

pytestmark = pytest.mark.process

SHORT = 0.5
"""A timeout in seconds, for a test that waits until it expires."""

Pair = tuple[PostgresServer, PostgresServer]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for the replica, so that it is not considered failed when the machine is busy."""
    monkeypatch.setattr("bundlesvc.storage.database.postgresql.replica.REPLICA_SECONDS", 30.0)


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """A primary server and its replica."""
    with postgres_server() as primary, primary.standby() as replica:
        yield primary, replica


@pytest.fixture
def settings(pair: Pair) -> Settings:
    """Settings for a database with the test shop, which has already been replicated."""
    primary, replica = pair
    name = make_postgresql(primary, loaded=True)
    replica.catch_up(primary)
    return Settings(
        database=primary.url(name),
        database_read=replica.url(name),
        secret_keys=(SECRET_KEY,),
    )


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    async with opened(settings.database, settings.database_read) as database:
        yield database


@pytest.fixture
def delayed(pair: Pair) -> Iterator[Callable[[], None]]:
    """Hold back changes from the replica until the yielded function is called."""
    primary, replica = pair

    def arrive() -> None:
        replica.sql("SELECT pg_wal_replay_resume()")
        replica.catch_up(primary)

    replica.sql("SELECT pg_wal_replay_pause()")
    yield arrive
    replica.sql("SELECT pg_wal_replay_resume()")


@asynccontextmanager
async def opened(address: str, read_address: str | None) -> AsyncIterator[Database]:
    database = create_database(address, read_address=read_address)
    database.health.log()
    database.start()
    try:
        yield database
    finally:
        await database.close()


def state(database: Database) -> ReplicaHealth:
    assert database.health.replica is not None
    return database.health.replica


async def box(database: Database) -> Bundle | None:
    """Read the bundle Box at the shop's newest revision."""
    (tenant,) = await SqlShopStore(database, RevisionCache()).tenants()
    return await SqlShopStore(database, RevisionCache()).bundle(tenant, BOX)


def reads(database: Database) -> tuple[int, int]:
    """Return how many times shop files have been read from the primary server, and from the replica."""
    return state(database).reads[PRIMARY], state(database).reads[REPLICA]


async def test_shop_files_are_read_at_the_replica(database: Database, tenant: Tenant) -> None:
    assert await box(database) == next(bundle for bundle in the_shop().bundles if bundle.id == BOX)
    platform = EmbeddedPlatform(database, RevisionCache())
    assert (await platform.products(tenant, [MUG])).value[MUG].id == MUG
    assert reads(database) == (0, 2)


async def test_a_change_that_has_not_arrived_is_read_at_the_primary_server(
    database: Database, delayed: Callable[[], None]
) -> None:
    file = the_shop()
    renamed = tuple(replace(bundle, name="Crate") if bundle.id == BOX else bundle for bundle in file.bundles)
    await SqlShopFileStore(database).replace(replace(file, bundles=renamed))
    for _ in range(2):
        found = await box(database)
        assert found is not None
        assert found.name == "Crate"
    assert reads(database) == (2, 0)
    await asyncio.to_thread(delayed)
    assert await box(database) == found
    assert reads(database) == (2, 1)


async def test_the_lag_of_the_replica_is_measured(database: Database, pair: Pair, delayed: Callable[[], None]) -> None:
    """The replica's lag is measured by the service, and also by the primary server."""
    assert isinstance(database, ReplicatedDatabase)
    measurements = DatabaseMeasurements(database)
    await SqlKeyStore(database).add_key(replace(KEY, prefix="late", digest="late"))
    async with asyncio.timeout(60):  # until the replica has received, but not yet applied, the change
        while (lag := state(database).lag) is None or not lag.bytes:
            await database.measure_lag()
    await measurements.measure_standbys()
    (standby,) = measurements.standbys.values()
    assert lag.seconds > 0
    assert standby.bytes > 0
    await asyncio.to_thread(delayed)
    await database.measure_lag()
    await measurements.measure_standbys()
    assert state(database).lag == Lag(0, 0)
    assert set(measurements.standbys.values()) == {Lag(0, 0)}
    assert "bundlesvc_replica_lag_seconds 0.0" in generate_latest(database.health).decode()


async def test_the_lag_is_unknown_while_the_replica_is_away(pair: Pair, settings: Settings) -> None:
    async with opened(settings.database, pair[0].url("nowhere")) as database:
        assert isinstance(database, ReplicatedDatabase)
        state(database).lag = Lag(1, 1)
        await database.measure_lag()
        assert state(database).lag is None


async def test_a_server_that_replicates_nothing_has_no_lag(settings: Settings) -> None:
    async with opened(settings.database, settings.database) as database:
        assert isinstance(database, ReplicatedDatabase)
        await database.measure_lag()
        assert state(database).lag is None


async def test_what_must_be_current_does_not_wait_for_the_replica(
    database: Database, tenant: Tenant, delayed: Callable[[], None]
) -> None:
    """New and revoked keys, configured bundles, and the stored responses of idempotency keys are read without waiting for the
    replica."""
    keys, store = SqlKeyStore(database), SqlConfiguredStore(database)
    await keys.add_key(KEY)
    assert await keys.active_key(KEY.digest) is not None
    await keys.revoke_key(KEY.prefix)
    assert await keys.active_key(KEY.digest) is None
    made = await store.record(tenant, configured(1), BOX_VARIANT, idempotency_key(), render_response)
    assert await store.selection(tenant, 1) is not None
    stored = await store.stored_response(tenant, idempotency_key(), NOW)
    assert stored is not None
    assert stored.body == made.body


async def test_another_shop_under_the_same_id_is_not_read(settings: Settings, pair: Pair) -> None:
    primary, replica = pair
    name = make_postgresql(primary, loaded=True)
    primary.sql("UPDATE shops SET handle = 'other', revision = 1000", name)
    replica.catch_up(primary)
    async with opened(settings.database, replica.url(name)) as database:
        assert await box(database) is not None
        assert reads(database) == (1, 0)


async def test_a_query_that_fails_alone_does_not_count_as_a_failure_of_the_replica(
    database: Database, tenant: Tenant
) -> None:
    def too_large(_: object) -> None:
        raise AssertionError

    with pytest.raises(AssertionError):
        await database.read_shop(tenant, too_large)
    assert state(database).up


async def test_a_busy_replica_does_not_count_as_failed(
    database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only reads that do not get a connection in time go to the primary server; the replica is not considered failed."""
    assert isinstance(database, ReplicatedDatabase)

    async def refuse(_: object) -> None:
        raise StorageBusy from QueueTimeout(served=True)

    with monkeypatch.context() as patched:
        patched.setattr(database._replica, "read", refuse)
        assert await box(database) is not None
    assert state(database).up
    assert await box(database) is not None
    assert reads(database) == (1, 1)


async def test_without_the_replica_the_primary_server_is_read_until_it_is_back(
    settings: Settings, pair: Pair, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bundlesvc.storage.database.postgresql.replica.RETRY_SECONDS", 0.05)
    caplog.set_level(logging.INFO)
    async with opened(settings.database, settings.database_read) as database:
        await box(database)
        await asyncio.to_thread(pair[1].stop)
        try:
            for _ in range(3):
                assert await box(database) is not None
            assert reads(database) == (3, 1)
            assert not state(database).up
            assert database.health.failure is None
        finally:
            await asyncio.to_thread(pair[1].start)
        async with asyncio.timeout(30):
            while not state(database).up:  # noqa: ASYNC110 - the server notifies nobody
                await asyncio.sleep(0.01)
        assert await box(database) is not None
        assert reads(database) == (3, 2)
    lines = [
        record.getMessage()
        for record in caplog.records
        if record.name == "bundlesvc.storage.database.health.replica_health"
    ]
    assert len(lines) == 2
    assert lines[0].startswith("the read replica fails (")
    assert lines[1] == "the read replica responds again."


async def test_no_second_read_waits_for_a_silent_replica(
    settings: Settings, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bundlesvc.storage.database.postgresql.replica.RETRY_SECONDS", 600.0)
    async with wire_to(pair[1].port) as wire:
        name = settings.database.rpartition("/")[2]
        async with opened(settings.database, pair[1].url(name, port=wire.port)) as database:
            assert await box(database) is not None
            wire.go_silent()
            assert isinstance(database, ReplicatedDatabase)
            monkeypatch.setattr(database._replica, "_timeout", SHORT)
            assert await box(database) is not None
            assert not state(database).up
            wire.flow_again()
            assert await box(database) is not None
            assert reads(database) == (2, 1), "the replica should not be tried until it is known to be back"
