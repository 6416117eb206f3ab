"""Opens the database for a command. Creates the tables of a new SQLite database; older tables are not upgraded."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.migrations.schema import HEAD, upgrade, version

T = TypeVar("T")


@asynccontextmanager
async def current_database(settings: Settings) -> AsyncIterator[Database]:
    """Open the database named in the settings, with up-to-date tables. Raises StorageUnavailable if the tables are outdated: a
    service may be using them, so the operator decides when to upgrade."""
    async with open_database(settings.database) as database:
        found = await database.read(version)  # read first, so that a command that only reads does not wait for writers
        if found is None and settings.database_file is not None:
            await database.write(upgrade)
        elif found is None or found < HEAD:
            has = "has no tables yet" if found is None else f"is at version {found}, and this bundlesvc needs {HEAD}"
            raise StorageUnavailable(f"The database {has}. Run: bundlesvc db upgrade")
        elif found != HEAD:
            await database.write(upgrade)  # raises when the tables are newer than this version
        yield database


def fail_without_file(settings: Settings, purpose: str) -> None:
    """End the command if the SQLite file does not exist: a result from a new, empty database would be misleading."""
    file = settings.database_file
    if file is not None and not file.is_file():
        fail(f"{file}: there is no database to {purpose}. DATABASE_URL names it.")


def with_database(use: Callable[[Database], Awaitable[T]]) -> T:
    """Run a command's work on the database configured in the environment, and return its result."""

    async def run() -> T:
        async with current_database(Settings.from_environment()) as database:
            return await use(database)

    return asyncio.run(run())
