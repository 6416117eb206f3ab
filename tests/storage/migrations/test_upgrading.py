"""A SQLite file created by an older version of the service is upgraded only if no service uses it, and only after a backup that
can be used to undo the upgrade."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.sqlite import connections
from bundlesvc.storage.migrations.schema import HEAD
from bundlesvc.storage.migrations.upgrading import upgrade_file
from tests.storage.release_dump import FOLDER, dump_sqlite, restore_sqlite

OLDER = [path for path in sorted(FOLDER.glob("*.sqlite.sql")) if f"('{HEAD}')" not in path.read_text("utf-8")]


def stored_version(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(found)


@pytest.fixture(params=OLDER, ids=lambda path: path.name)
def released(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database file of an older version (released, or from before the first release), as the service of that version leaves
    it."""
    path = tmp_path / "shop.db"
    restore_sqlite(request.param, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    return path


def in_use(path: Path) -> sqlite3.Connection:
    """Open a connection with no transaction in progress, like a running service's connection between two requests."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("SELECT count(*) FROM shops").fetchone()
    return connection


def test_an_upgrade_is_rolled_back_with_its_backup(released: Path) -> None:
    before, found = dump_sqlite(released), stored_version(released)
    announced: list[Path] = []
    upgraded = upgrade_file(released, announced.append)
    assert upgraded is not None
    assert announced == [upgraded.backup]
    assert (upgraded.found, stored_version(released)) == (found, HEAD)
    assert upgraded.backup.parent == released.parent
    assert upgraded.backup.stat().st_mode & 0o777 == 0o600

    for ending in ("", "-wal", "-shm"):
        released.with_name(f"{released.name}{ending}").unlink(missing_ok=True)
    upgraded.backup.rename(released)
    assert stored_version(released) == found
    assert dump_sqlite(released) == before


def test_a_second_upgrade_changes_nothing_and_makes_no_backup(released: Path) -> None:
    assert upgrade_file(released) is not None
    files = set(released.parent.iterdir())
    assert upgrade_file(released) is None
    assert set(released.parent.iterdir()) == files


def test_a_file_that_a_service_uses_is_not_upgraded(released: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_MS", 20)
    found = stored_version(released)
    with (
        closing(in_use(released)),
        pytest.raises(StorageUnavailable, match="another process uses it"),
    ):
        upgrade_file(released)
    assert stored_version(released) == found
    assert not list(released.parent.glob("*.backup"))


def test_nobody_opens_the_file_between_backup_and_upgrade(released: Path) -> None:
    """No other process can write between backup and upgrade. Otherwise a rollback would lose what that process wrote."""

    def write(_: Path) -> None:
        with closing(sqlite3.connect(released, timeout=0.02)) as other, pytest.raises(sqlite3.OperationalError):
            other.execute("UPDATE shops SET revision = revision + 1")

    assert upgrade_file(released, write) is not None


def test_without_room_for_the_backup_nothing_is_upgraded(released: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = stored_version(released)
    monkeypatch.setattr("bundlesvc.storage.migrations.upgrading.create", lambda path: path.mkdir())
    monkeypatch.setattr(Path, "unlink", Path.rmdir)
    with pytest.raises(StorageUnavailable, match="Nothing was upgraded"):
        upgrade_file(released)
    assert stored_version(released) == found
