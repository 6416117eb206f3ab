"""Fixtures: databases behind PgBouncer in transaction mode."""

from collections.abc import Iterator

import pytest

from bundlesvc.settings.environment import Settings
from tests.conftest import SECRET_KEY
from tests.servers.postgres_server import PostgresServer
from tests.storage.prepared import make_postgresql


@pytest.fixture
def kind(pooler: int) -> str:
    return "postgresql"


@pytest.fixture
def settings(postgres: PostgresServer, pooler: int) -> Iterator[Settings]:
    name = make_postgresql(postgres, loaded=True)
    with postgres.lent(name):
        yield Settings(
            database=f"{postgres.url(name, port=pooler)}?pgbouncer=true",
            secret_keys=(SECRET_KEY,),
        )
