"""The service over PostgreSQL, for tests of the folder above."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bundlesvc.settings import Settings
from bundlesvc.storage.database import Database, open_database
from tests.api.conftest import fill
from tests.conftest import SECRET_KEY
from tests.postgres_server import PostgresServer


@pytest.fixture(scope="session")
def template(postgres: PostgresServer) -> str:
    """The name of a database with both test shops in it, made once, to be copied."""
    name = postgres.new_database()
    with ThreadPoolExecutor(1) as thread:  # an event loop of its own, and none of the tests'
        thread.submit(asyncio.run, fill(postgres.url(name))).result()
    return name


@pytest.fixture
def settings(postgres: PostgresServer, template: str, tmp_path: Path) -> Iterator[Settings]:
    with postgres.lent(postgres.new_database(template)) as address:
        yield Settings(database=address, secret_keys=(SECRET_KEY,))


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    async with open_database(settings.database) as database:
        yield database
