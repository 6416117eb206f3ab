"""Fixtures: a table of notes on PostgreSQL and, in front of the server, a network that can fail."""

from collections.abc import AsyncIterator

import pytest

from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.postgresql.server import PostgresqlDatabase
from tests.servers.postgres_server import PostgresServer
from tests.storage.database.postgresql.transactions import opened, run
from tests.storage.database.postgresql.wire import Wire, wire_to


@pytest.fixture
def kind(postgres: PostgresServer) -> str:
    return "postgresql"


@pytest.fixture
async def pad(bare: Settings) -> AsyncIterator[PostgresqlDatabase]:
    """A database with a table of notes."""
    async with opened(bare.database) as database:
        await database.write(run("CREATE TABLE note (text VARCHAR(100) NOT NULL UNIQUE)"))
        yield database


@pytest.fixture
async def wire(postgres: PostgresServer) -> AsyncIterator[Wire]:
    async with wire_to(postgres.port) as wire:
        yield wire


@pytest.fixture
def over_wire(bare: Settings, wire: Wire, postgres: PostgresServer) -> str:
    """The URL for connecting to the `bare` database through `wire`."""
    return postgres.url(bare.database.rpartition("/")[2], port=wire.port)
