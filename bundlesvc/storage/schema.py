"""The version of the tables: which one a database has, and bringing it up to date with alembic."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, inspect, select, text

from bundlesvc.domain.errors import StorageUnavailable

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0007"
"""The newest migration (tests hold it to the migrations themselves). Known without alembic, whose import takes a start's
time for nothing when the database is up to date."""

_ADVISORY_LOCK = 0x62756E646C65
"""Any number that no other program at the same PostgreSQL database locks."""

_MIGRATIONS = Path(__file__).with_name("migrations")


def version(connection: Connection) -> str | None:
    """The version of the tables; None for a database that has none yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def upgrade(connection: Connection, target: str = HEAD) -> bool:
    """Bring the tables up to `target`, within the caller's transaction; whether there was anything to do."""
    _take_turns(connection)
    found = version(connection)
    if found == target:
        return False
    if found is not None and found > HEAD:
        raise StorageUnavailable(
            f"The database is of version {found}, made by a newer bundlesvc; this one knows {HEAD}."
        )
    from alembic import command  # noqa: PLC0415 - see HEAD

    command.upgrade(_config(connection), target)
    return True


def downgrade(connection: Connection, target: str) -> None:
    """Take the tables back to an older version ("base": none at all)."""
    from alembic import command  # noqa: PLC0415 - see HEAD

    command.downgrade(_config(connection), target)


def _take_turns(connection: Connection) -> None:
    """Of two upgrades at once, the second waits and finds nothing to do. In SQLite a transaction waits anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_ADVISORY_LOCK)))


def _config(connection: Connection) -> Config:
    from alembic.config import Config  # noqa: PLC0415 - see HEAD

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    return config
