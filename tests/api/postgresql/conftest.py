"""Fixtures: the service on PostgreSQL, for the tests in the parent folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bundlesvc.settings.environment import Settings
from tests.api.loaded import LoadedDatabase, fill
from tests.conftest import SECRET_KEY
from tests.servers.postgres_server import PostgresServer


@pytest.fixture(scope="session")
def loaded_database(postgres: PostgresServer) -> LoadedDatabase:
    """A database with both test shops, created once and copied by the tests."""
    name = postgres.new_database()
    return LoadedDatabase(name, fill(postgres.url(name)))


@pytest.fixture
def settings(postgres: PostgresServer, loaded_database: LoadedDatabase, tmp_path: Path) -> Iterator[Settings]:
    with postgres.lent(postgres.new_database(loaded_database.location)) as address:
        yield Settings(database=address, secret_keys=(SECRET_KEY,))


@pytest.fixture
def database_file(settings: Settings) -> None:
    """Do nothing: `settings` creates the database."""
