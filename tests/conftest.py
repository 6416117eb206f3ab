"""Shared fixtures: a database per test, shops in it, Redis, and helpers that load data."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis
import pytest
import structlog
from cryptography.fernet import Fernet

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.redis import connection as redis_connection
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.settings.environment import Settings
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.system import RandomIds
from tests.fakes import FakeClock
from tests.running import sqlite_dialects
from tests.servers.pgbouncer import pgbouncer
from tests.servers.postgres_server import PostgresServer, postgres_server
from tests.servers.redis_groups import Cluster, redis_cluster
from tests.servers.redis_server import RedisServer, redis_server
from tests.storage.prepared import make_database

pytest_plugins = ["tests.running.fast", "tests.vendure.fixtures", "tests.running.one_engine"]

SECRET_KEY = Fernet.generate_key().decode()

MakeKey = Callable[..., Awaitable[str]]
LoadShop = Callable[[str | Path], Awaitable[None]]


def pytest_configure() -> None:
    sqlite_dialects.register()
    hypothesis.settings.register_profile("patient", hypothesis.settings.default, deadline=None)
    hypothesis.settings.load_profile("patient")  # on a busy machine, slow examples are not failures


@pytest.fixture(scope="session", autouse=True)
def plain_tracebacks() -> None:
    """Use plain tracebacks in logs, unless a test configures logging itself, because the default rich tracebacks are slow."""
    renderer = structlog.get_config()["processors"][-1]
    assert isinstance(renderer, structlog.dev.ConsoleRenderer)
    renderer.exception_formatter = structlog.dev.plain_traceback


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running PostgreSQL, shared by all tests."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def pooler(postgres: PostgresServer) -> Iterator[int]:
    """The port of a connection pooler in front of PostgreSQL, in transaction mode."""
    with pgbouncer(postgres) as port:
        yield port


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=str(tmp_path / "test.db"), secret_keys=(SECRET_KEY,))


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    """An empty database with the tables of the newest schema version."""
    make_database(Path(settings.database))
    async with open_database(settings.database) as database:
        yield database


@pytest.fixture
def load_shop(database: Database) -> LoadShop:
    """A function that loads a shop file from a path or from its text."""

    async def load(shop: str | Path) -> None:
        await replace_shop(database, shop)

    return load


async def replace_shop(database: Database, shop: str | Path) -> None:
    """Load a shop file from a path or from its text."""
    await SqlShopFileStore(database).replace(_shop_file(_content(shop)))


def _content(shop: str | Path) -> bytes:
    return shop.read_bytes() if isinstance(shop, Path) else shop.encode()


@cache
def _shop_file(content: bytes) -> ShopFile:
    """Parse a shop file, once for all tests that load it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "shop.yaml"
        path.write_bytes(content)
        return read_shop_file(path)


@pytest.fixture
def make_key(database: Database, clock: FakeClock) -> MakeKey:
    """A function that creates an API key for a shop ("demo" by default) from the arguments of `KeyRequest`."""

    async def make(shop: str = "demo", **request: object) -> str:
        store = SqlKeyStore(database)
        tenant = await store.tenant(shop)
        assert tenant is not None
        return await create_key(store, tenant, KeyRequest("test", **request), clock, RandomIds())  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def running_redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture
def redis(running_redis: RedisServer) -> RedisServer:
    """A real Redis, emptied for this test."""
    running_redis.repair()
    return running_redis


@pytest.fixture
def long_redis_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the Redis timeout, so that a busy machine does not make Redis look hung. For tests in which Redis never hangs."""
    monkeypatch.setattr(redis_connection, "TIMEOUT", 10.0)


@pytest.fixture(scope="session")
def running_cluster() -> Iterator[Cluster]:
    with redis_cluster() as cluster:
        yield cluster


@pytest.fixture
def cluster(running_cluster: Cluster) -> Cluster:
    """A real Redis Cluster, emptied for this test."""
    running_cluster.repair()
    return running_cluster


@pytest.fixture
async def cluster_connection(cluster: Cluster, long_redis_timeout: None) -> AsyncIterator[RedisConnection]:
    """A connection to a real Redis Cluster, closed at the end."""
    connection = RedisConnection(cluster.url)
    yield connection
    await connection.aclose()


@pytest.fixture
async def connection(redis: RedisServer, long_redis_timeout: None) -> AsyncIterator[RedisConnection]:
    """A connection to a real Redis, closed at the end."""
    connection = RedisConnection(redis.url)
    yield connection
    await connection.aclose()


@pytest.fixture
def own_logs() -> Iterator[None]:
    """Allow the test to set up logging. The previous configuration is restored afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
