"""Upgrades the tables of the configured database."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.migrations.schema import HEAD, upgrade, version
from bundlesvc.storage.migrations.upgrading import upgrade_file


async def upgrade_database(settings: Settings, say: Callable[[str], None]) -> bool:
    """Create the tables, or upgrade them; a SQLite file is backed up first, and the backup is announced. Returns whether anything
    changed. Raises StorageUnavailable, and OSError when there is no room for the backup."""
    file = settings.database_file
    async with open_database(settings.database) as database:
        found = await database.read(version)
        if file is None or found is None or found >= HEAD:
            return await database.write(upgrade)

    def announce(backup: Path) -> None:
        say(f"the database is upgraded from version {found} to {HEAD}. A backup from before: {backup}")

    return await asyncio.to_thread(upgrade_file, file, announce) is not None
