"""Fixtures that run the commerce engine with the data of the shop on which all platforms are compared."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bundlesvc.domain.shop import PlatformMarket
from bundlesvc.shop_file.loading import read_shop_file
from tests.packages.npm import require_packages
from tests.servers.postgres_server import PostgresServer
from tests.vendure.admin import Admin
from tests.vendure.engine import FOLDER, running_engine
from tests.vendure.seeding import READER, Seeding

SHOP = Path(__file__).parents[1] / "platforms" / "shop.yaml"


@dataclass(frozen=True)
class SeededEngine:
    """A running engine that contains a shop. `api_key` is valid in the home channel only, `session` in all channels. Both allow
    reading the catalogue, and nothing else."""

    address: str
    admin: Admin
    api_key: str
    session: str
    markets: tuple[PlatformMarket, ...]


@pytest.fixture(scope="session")
def engine(postgres: PostgresServer) -> Iterator[SeededEngine]:
    """The engine, started and seeded once for all tests."""
    require_packages(FOLDER)
    with _seeded(postgres) as engine:
        yield engine


@contextmanager
def _seeded(postgres: PostgresServer) -> Iterator[SeededEngine]:
    database = postgres.new_database()
    with postgres.lent(database) as url, running_engine(url, create_tables=True) as address:
        admin = Admin(address)
        seeding = Seeding(admin, lambda statement: postgres.sql(statement, database), read_shop_file(SHOP))
        api_key = seeding.fill()
        yield SeededEngine(address, admin, api_key, Admin(address, READER, READER).token, seeding.markets())
