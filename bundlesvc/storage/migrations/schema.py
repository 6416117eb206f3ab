"""Reads the schema version of a database, and upgrades the tables with Alembic."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, inspect, select, text

from bundlesvc.domain.errors import StorageUnavailable

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0024"
"""The version of the newest migration, as a test verifies. It is a constant, so that starting with an up-to-date database does
not import alembic, which is slow."""

UNFINISHED_COPY = "unfinished_copy"
"""A table that exists only while another database is being copied into this one."""

_ADVISORY_LOCK = 0x62756E646C65
"""The key of our advisory lock in PostgreSQL. No other program should use this key in the same database."""

_MIGRATIONS = Path(__file__).parent


def version(connection: Connection) -> str | None:
    """Read the schema version; None for a database without tables. Raises StorageUnavailable for an unfinished copy."""
    if inspect(connection).has_table(UNFINISHED_COPY):
        raise StorageUnavailable(
            "The database is an unfinished copy. Run the same `bundlesvc db copy` again, which completes it."
        )
    return stored_version(connection)


def stored_version(connection: Connection) -> str | None:
    """Read the schema version, even of an unfinished copy; None for a database without tables."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def upgrade(connection: Connection, target: str = HEAD) -> bool:
    """Upgrade the tables to `target`, within the caller's transaction. Returns whether anything changed."""
    _take_turns(connection)
    found = version(connection)
    if found == target:
        return False
    if found is not None and found > HEAD:
        raise StorageUnavailable(
            f"The database is at version {found}, made by a newer bundlesvc; this one knows {HEAD}."
        )
    from alembic import command  # noqa: PLC0415 - see HEAD

    command.upgrade(_config(connection), target)
    return True


def downgrade(connection: Connection, target: str) -> None:
    """Downgrade the tables to an older version; "base" removes them."""
    from alembic import command  # noqa: PLC0415 - see HEAD

    command.downgrade(_config(connection), target)


def _take_turns(connection: Connection) -> None:
    """Make the second of two simultaneous upgrades wait; it then finds nothing to do. On SQLite, the transaction itself makes it
    wait."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_ADVISORY_LOCK)))


def _config(connection: Connection) -> Config:
    from alembic.config import Config  # noqa: PLC0415 - see HEAD

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    return config
