"""Through PgBouncer in transaction mode, the stores behave as they do over a direct connection."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from tests.servers.pgbouncer import SERVER_CONNECTIONS
from tests.servers.postgres_server import PostgresServer
from tests.storage.database.postgresql.transactions import insertion, note, notes, run, scalar
from tests.storage.methods import READS

# Runs every test of the imported module through the pooler.
from tests.storage.test_two_processes import *  # noqa: F403

WARNING = "a connection pooler is in front of the database: add pgbouncer=true to its URL."


async def results(databases: list[Database], tenant: Tenant, folder: Path) -> list[list[object]]:
    """Run all reads on all databases simultaneously, and return the results by database."""
    return await asyncio.gather(
        *(
            asyncio.gather(*(read(database, tenant, folder) for read in READS.values() for _ in range(3)))
            for database in databases
        )
    )


@asynccontextmanager
async def unnamed_pooler(settings: Settings) -> AsyncIterator[list[Database]]:
    """Three databases with a table of notes, opened through a pooler that the URL does not name."""
    unnamed = settings.database.partition("?")[0]
    async with AsyncExitStack() as stack:
        databases = [await stack.enter_async_context(open_database(unnamed)) for _ in range(3)]
        await databases[0].write(run("CREATE TABLE note (text VARCHAR(100) NOT NULL UNIQUE)"))
        yield databases


async def test_every_read_has_the_result_of_a_direct_connection(
    settings: Settings, postgres: PostgresServer, tenant: Tenant, tmp_path: Path
) -> None:
    name = settings.database.rpartition("/")[2].partition("?")[0]
    async with AsyncExitStack() as stack:
        pooled = [await stack.enter_async_context(open_database(settings.database)) for _ in range(3)]
        direct = await stack.enter_async_context(open_database(postgres.url(name)))
        (expected,) = await results([direct], tenant, tmp_path)
        assert await results(pooled, tenant, tmp_path) == [expected] * 3


async def test_a_pooler_that_the_url_does_not_name_is_noticed(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """A pooler that is not declared in the URL is detected, because several processes prepare different statements on the same
    few server connections."""
    async with unnamed_pooler(settings) as databases:

        async def use(database: Database, place: int) -> None:
            for number in range(20):
                assert await database.read(scalar(f"SELECT {place}")) == place
                assert await database.write(note(f"{place} {number}")) == 1

        with caplog.at_level(logging.WARNING):
            places = range(SERVER_CONNECTIONS * 4)
            await asyncio.gather(*(use(databases[place % 3], place) for place in places))
        assert len(await databases[0].read(notes)) == 20 * len(places)
    assert 1 <= [record.getMessage() for record in caplog.records].count(WARNING) <= len(databases)


async def test_insertions_notice_a_pooler_that_the_url_does_not_name(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """When a group of insertions fails because of a pooler, its writes run one by one. These detect the pooler, and every row is
    stored once."""
    async with unnamed_pooler(settings) as databases:
        with caplog.at_level(logging.WARNING):
            for number in range(20):
                texts = [f"{number} {place}" for place in range(SERVER_CONNECTIONS * 4)]
                await asyncio.gather(
                    *(databases[place % 3].write(note(text), insertion(text)) for place, text in enumerate(texts))
                )
        assert len(await databases[0].read(notes)) == 20 * len(texts)
    assert 1 <= [record.getMessage() for record in caplog.records].count(WARNING) <= len(databases)
