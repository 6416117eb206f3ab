"""Commands on a SQLite database that an older release of the service created: only `db upgrade` changes the tables."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bundlesvc.storage.migrations.schema import HEAD
from bundlesvc.token_cipher import new_secret_key
from tests.cli.command_line import Run, assert_error
from tests.storage.release_dump import FOLDER, dump_sqlite, restore_sqlite

OLD = "0009"


@pytest.fixture
def old(run: Run, database_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Create a database with the tables of schema version 0009, and return its content."""
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", new_secret_key())
    database_path.parent.mkdir()
    restore_sqlite(FOLDER / f"unreleased-{OLD}.sqlite.sql", database_path)
    return dump_sqlite(database_path)


@pytest.mark.parametrize(
    "arguments",
    [
        ("doctor",),
        ("db", "check"),
        ("db", "prune"),
        ("keys", "list"),
        ("keys", "revoke", "bnd_live_x"),
        ("shops", "list"),
        ("usage",),
        ("shops", "delete", "demo", "--yes"),
        ("shoppers", "export", "mira@mail.example"),
        ("subscriptions", "list"),
        ("reminders", "list"),
        ("ghosts", "list"),
        ("secrets", "reseal"),
    ],
    ids=" ".join,
)
def test_a_command_changes_no_tables_and_says_what_to_do(
    arguments: tuple[str, ...], run: Run, old: str, database_path: Path
) -> None:
    assert_error(run(*arguments), f"is at version {OLD}, and this bundlesvc needs {HEAD}. Run: bundlesvc db upgrade")
    assert dump_sqlite(database_path) == old


def test_a_backup_has_the_tables_that_are_there(run: Run, old: str, database_path: Path, tmp_path: Path) -> None:
    assert run("db", "backup", tmp_path / "before.db").code == 0
    assert dump_sqlite(tmp_path / "before.db") == old
    assert dump_sqlite(database_path) == old


def test_an_upgrade_says_where_its_backup_is(run: Run, old: str, database_path: Path) -> None:
    result = run("db", "upgrade")
    (backup,) = database_path.parent.glob("*.backup")
    assert result.code == 0, result.err
    assert result.err == (
        f"bundlesvc: the database is upgraded from version {OLD} to {HEAD}. A backup from before: {backup}\n"
        f"The tables are now at version {HEAD}.\n"
    )
    assert dump_sqlite(backup) == old
    assert run("shops", "list").code == 0


def test_an_upgrade_of_a_database_in_use_is_refused(
    run: Run, old: str, database_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bundlesvc.storage.database.sqlite.connections.BUSY_TIMEOUT_MS", 20)
    with closing(sqlite3.connect(database_path)) as service:
        service.execute("PRAGMA journal_mode = WAL")
        service.execute("SELECT 1 FROM shops").fetchall()
        assert_error(run("db", "upgrade"), "another process uses it. Stop the service first.")
    assert dump_sqlite(database_path) == old
