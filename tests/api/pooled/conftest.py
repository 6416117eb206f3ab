"""Fixtures: the service behind a connection pooler."""

import pytest

from bundlesvc.settings.environment import Settings
from tests.api.loaded import LoadedDatabase
from tests.api.postgresql.conftest import database_file, loaded_database  # noqa: F401
from tests.conftest import SECRET_KEY
from tests.servers.postgres_server import PostgresServer


@pytest.fixture
def settings(postgres: PostgresServer, pooler: int, loaded_database: LoadedDatabase) -> Settings:  # noqa: F811
    """Settings with a database that exists until the server is removed. If it were dropped earlier, the pooler would wait for the
    missing database while the service closes."""
    name = postgres.new_database(loaded_database.location)
    return Settings(database=f"{postgres.url(name, port=pooler)}?pgbouncer=true", secret_keys=(SECRET_KEY,))
