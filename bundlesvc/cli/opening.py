"""Opening the database for a command: made when absent, brought up to date first (design 17)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from bundlesvc.settings import Settings
from bundlesvc.storage.database import Database, open_database
from bundlesvc.storage.schema import HEAD, upgrade, version

T = TypeVar("T")


@asynccontextmanager
async def current_database(settings: Settings) -> AsyncIterator[Database]:
    """The database of the settings, with tables of the newest version."""
    async with open_database(settings.database) as database:
        if await database.read(version) != HEAD:  # asked first: a command that only reads waits for no writer
            await database.write(upgrade)
        yield database


def with_database(use: Callable[[Database], Awaitable[T]]) -> T:
    """The result of a command's work on the database that the environment names."""

    async def run() -> T:
        async with current_database(Settings.from_environment()) as database:
            return await use(database)

    return asyncio.run(run())
