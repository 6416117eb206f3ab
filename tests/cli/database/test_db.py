"""`bundlesvc db`."""

import errno
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from bundlesvc.storage.migrations.schema import HEAD
from tests.cli.command_line import Result, Run, assert_error
from tests.cli.conftest import Record
from tests.process.shop import SHOP
from tests.storage.configured_bundles import configured, idempotency_key
from tests.storage.locking import writing
from tests.storage.shoppers.two_shoppers import answered

DAY = 24 * 60 * 60


def test_upgrade_creates_the_tables_once(run: Run, database_path: Path) -> None:
    result = run("db", "upgrade")
    assert (result.code, result.out, result.err) == (0, "", f"The tables are now at version {HEAD}.\n")
    assert database_path.is_file()
    assert run("db", "upgrade").err == f"The tables are already at version {HEAD}.\n"


def test_upgrade_keeps_the_data(loaded: Run) -> None:
    loaded("db", "upgrade")
    assert loaded("load", SHOP).err == "demo: nothing changed.\n"


def test_a_backup_can_be_used_as_a_database(loaded: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "new folder" / "backup.db"
    result = loaded("db", "backup", target)
    assert (result.code, result.out) == (0, ""), result.err
    assert result.err == f"{target}: {target.stat().st_size:,} bytes.\n"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{target}")
    assert loaded("load", SHOP).err == "demo: nothing changed.\n"


def test_a_backup_works_while_another_program_writes(
    loaded: Run, database_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bundlesvc.storage.database.sqlite.connections.BUSY_TIMEOUT_MS", 20)
    with writing(str(database_path)) as other:
        other.execute("UPDATE shops SET revision = 99")
        result = loaded("db", "backup", tmp_path / "backup.db")
        assert result.code == 0, result.err
    with closing(sqlite3.connect(tmp_path / "backup.db")) as copy:
        assert copy.execute("SELECT revision FROM shops").fetchall() == [(1,)]


@pytest.mark.parametrize("arguments", [("shops", "list"), ("keys", "list"), ("subscriptions", "list")], ids=" ".join)
def test_reading_commands_do_not_wait_for_a_writer(
    arguments: tuple[str, ...], loaded: Run, database_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands that only read do not wait for a writer, because reading an up-to-date database needs no lock."""
    monkeypatch.setattr("bundlesvc.storage.database.sqlite.connections.BUSY_TIMEOUT_MS", 20)
    with writing(str(database_path)):
        result = loaded(*arguments)
    assert result.code == 0, result.err


def test_a_backup_never_overwrites_a_file(loaded: Run, tmp_path: Path) -> None:
    target = tmp_path / "there.db"
    target.write_text("precious")
    assert_error(loaded("db", "backup", target), f"{target} exists already")
    assert target.read_text() == "precious"


def test_backups_rotate_in_a_folder(loaded: Run, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    others = {"notes.txt", "backup-mine.db", "backup-20200101T000000Z.db.gz"}
    old = [f"backup-2020010{day}T000000Z.db" for day in range(1, 5)]
    for name in (*others, *old):
        (folder / name).write_text(name)
    result = loaded("db", "backup", folder, "--keep", 3)
    assert result.code == 0, result.err
    found = {path.name for path in folder.iterdir()}
    (new,) = found - others - set(old)
    assert found == others | {new, *old[2:]}
    with closing(sqlite3.connect(folder / new)) as copy:
        assert copy.execute("SELECT handle FROM shops").fetchall() == [("demo",)]
    assert (folder / new).stat().st_mode & 0o777 == 0o600


def test_a_backup_that_fails_deletes_no_older_one(loaded: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    old = folder / "backup-20200101T000000Z.db"
    old.write_text("precious")

    async def failing(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))

    monkeypatch.setattr("bundlesvc.cli.database.db.back_up_database", failing)
    assert_error(loaded("db", "backup", folder, "--keep", 1), "No space left")
    assert old.read_text() == "precious"


def test_a_folder_for_backups_is_created(loaded: Run, tmp_path: Path) -> None:
    assert loaded("db", "backup", tmp_path / "new", "--keep", 1).code == 0
    assert len(list((tmp_path / "new").iterdir())) == 1


def test_a_backup_below_a_file_is_refused(loaded: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_error(loaded("db", "backup", tmp_path / "file" / "backup.db"))
    assert_error(loaded("db", "backup", tmp_path / "file" / "folder" / "backup.db"))


def test_a_file_instead_of_the_folder_for_backups_is_refused(loaded: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_error(loaded("db", "backup", tmp_path / "file", "--keep", 2), f"{tmp_path / 'file'}: This is a file, not a")


def test_a_failed_backup_leaves_no_file(loaded: Run, tmp_path: Path, database_path: Path) -> None:
    """A failed backup leaves no file; otherwise, a retry would report that the file already exists."""
    with closing(sqlite3.connect(database_path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'bundles'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with database_path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    target = tmp_path / "backup.db"
    assert_error(loaded("db", "backup", target), f"{target}: The backup failed: database disk image is malformed.")
    assert not target.exists()


def test_prune_deletes_old_responses_and_configured_bundles(loaded: Run, record: Record) -> None:
    now = int(time.time())
    for number, age in enumerate((400 * DAY, 31 * DAY, 29 * DAY), start=1):
        record(configured(number, configured_at=now - age))
    record(configured(4, configured_at=now - 2 * DAY), idempotency_key())

    result = loaded("db", "prune")
    assert (result.code, result.out) == (0, "")
    assert deleted(result) == ["1 stored response deleted.", "1 configured bundle deleted."]
    assert deleted(loaded("db", "prune", "--older-than", 30)) == ["1 configured bundle deleted."]
    assert deleted(loaded("db", "prune", "--older-than", 1)) == ["2 configured bundles deleted."]


def deleted(result: Result) -> list[str]:
    """Return the lines of the output that report at least one deleted item. Every line of the output must report a number of
    deleted items."""
    lines = result.err.splitlines()
    assert all(line.endswith(" deleted.") for line in lines), lines
    return [line for line in lines if not line.startswith("0 ")]


def test_prune_follows_the_settings(loaded: Run, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    now = int(time.time())
    record(answered(1, "For Mira", configured_at=now - 5 * DAY))
    record(configured(2, configured_at=now - 20 * DAY))
    monkeypatch.setenv("BUNDLESVC_KEEP_CONFIGURED_BUNDLES_DAYS", "10")
    monkeypatch.setenv("BUNDLESVC_KEEP_ANSWERS_DAYS", "3")
    assert deleted(loaded("db", "prune")) == ["1 configured bundle deleted.", "1 personalisation deleted."]


def test_prune_names_damaged_bundles(
    loaded: Run, record: Record, database_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(answered(1, "For Mira", configured_at=int(time.time()) - 5 * DAY))
    with closing(sqlite3.connect(database_path)) as connection, connection:
        connection.execute("UPDATE configured_bundles SET items = items || '?'")
    monkeypatch.setenv("BUNDLESVC_KEEP_ANSWERS_DAYS", "3")
    result = loaded("db", "prune")
    assert (result.code, result.err.splitlines()[-1]) == (0, "0 personalisations deleted.")
    assert (
        "the answers of configured bundle 1 cannot be removed: it is damaged, see `bundlesvc db check`." in result.err
    )


@pytest.mark.parametrize("days", [10**6, 10**15, 10**30])
def test_pruning_accepts_any_number_of_days(days: int, loaded: Run, record: Record) -> None:
    record(configured(1, configured_at=0))
    result = loaded("db", "prune", "--older-than", days)
    assert "Traceback" not in result.err, result.err
    if result.code == 0:
        assert "0 configured bundles deleted." in result.err
