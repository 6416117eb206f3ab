"""Upgrades a SQLite file that has an older schema version, after backing it up to the same folder. No other process can open the
file in the meantime."""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.private_files import create
from bundlesvc.storage.database.sqlite.connections import writing_engine
from bundlesvc.storage.migrations.schema import HEAD, upgrade, version

STAMP = "%Y%m%dT%H%M%SZ"
"""The format of the time (UTC) in the name of a backup file."""


class UpgradeResult(NamedTuple):
    """The schema version before an upgrade, and the path of the backup made before it."""

    found: str
    backup: Path


def upgrade_file(path: Path, announce: Callable[[Path], None] = lambda _: None) -> UpgradeResult | None:
    """Back up a SQLite file, then upgrade its tables. Returns None when they are up to date.

    No other process can open the file in the meantime, so the backup contains every committed write. `announce` is called with
    the path of the backup before anything changes. Raises StorageUnavailable while another process uses the file, and OSError
    when there is no space for the backup; in both cases nothing has changed.
    """
    engine = writing_engine(str(path))
    event.listen(engine, "connect", _alone, insert=True)
    try:
        return _upgrade(engine, path, announce)
    except OperationalError as error:
        if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
            raise StorageUnavailable from error
        raise StorageUnavailable(
            f"The database needs an upgrade to version {HEAD}, but another process uses it. Stop the service first."
        ) from None
    finally:
        engine.dispose()


def _upgrade(engine: Engine, path: Path, announce: Callable[[Path], None]) -> UpgradeResult | None:
    with engine.begin() as connection:  # takes the lock, which the connection then holds
        found = version(connection)
    if found is None or found == HEAD:
        return None
    backup = _free(path.with_name(f"{path.name}.{found}-{datetime.now(UTC):{STAMP}}"))
    if found < HEAD:
        _back_up(engine, backup)
        announce(backup)
    with engine.begin() as connection:
        upgrade(connection)
    return UpgradeResult(found, backup)


def _free(name: Path) -> Path:
    """Return a path for the backup at which no file exists yet. A number is added if two upgrades begin within the same
    second."""
    file = name.with_name(f"{name.name}.backup")
    numbers = count(2)
    while file.exists():
        file = name.with_name(f"{name.name}-{next(numbers)}.backup")
    return file


def _back_up(engine: Engine, target: Path) -> None:
    create(target)
    try:
        with engine.connect() as connection:
            connection.connection.cursor().execute("VACUUM INTO ?", (str(target),))  # not allowed in a transaction
    except BaseException as error:
        target.unlink()  # an incomplete copy is not a backup
        if isinstance(error, sqlite3.Error):
            raise StorageUnavailable(
                f"There is no backup: {target} could not be written ({error}). Nothing was upgraded."
            ) from None
        raise


def _alone(connection: Any, _record: object) -> None:
    """Make the first transaction of this connection wait until no other process has the file open, and lock other processes out
    until the transaction ends."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA locking_mode = EXCLUSIVE")
    cursor.close()
