"""`bundlesvc db check` finds damage to a database file, broken references between rows, and unreadable values."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.command_line import Run, assert_error
from tests.cli.conftest import Record
from tests.servers.postgres_server import PostgresServer
from tests.storage.configured_bundles import configured, idempotency_key


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_nothing_is_wrong_with_a_loaded_shop(loaded: Run, record: Record) -> None:
    record(configured(1))
    result = loaded("db", "check")
    assert (result.code, result.out, result.err) == (0, "Nothing is wrong.\n", "")
    result = loaded("db", "check", "--json")
    assert (result.code, result.json) == (0, [])


def test_findings_are_lines_and_fail_the_command(loaded: Run, record: Record, database_path: Path) -> None:
    for number in range(1, 6):
        record(configured(number), idempotency_key(f"{number}"))
    change(
        database_path,
        "UPDATE configured_bundles SET original = 'x'",
        "DELETE FROM products WHERE id = 222",
        "DELETE FROM idempotency_keys",
    )
    result = loaded("db", "check")
    assert result.code == 1
    variants, bundles = result.out.splitlines()
    assert variants.startswith("variants: 1 row: refers to products that its shop does not have (shop_id 1, ")
    assert bundles == "configured_bundles: 5 rows: its original cannot be read (number 1; number 2; number 3; …)"
    assert result.err == "bundlesvc: 2 findings. Stop the service, and restore the last backup without any.\n"

    result = loaded("db", "check", "--json")
    assert (result.code, result.err) == (1, "")
    assert result.json[1] == {
        "table": "configured_bundles",
        "message": "its original cannot be read",
        "rows": 5,
        "examples": [{"number": 1}, {"number": 2}, {"number": 3}],
    }


def test_a_damaged_file_is_found(loaded: Run, record: Record, database_path: Path) -> None:
    record(configured(1))
    with closing(sqlite3.connect(database_path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        index = "SELECT rootpage FROM sqlite_master WHERE name = 'ix_configured_bundles_configured_at'"
        (page,) = connection.execute(index).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with database_path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    result = loaded("db", "check")
    assert result.code == 1
    assert all(line.startswith("database: ") for line in result.out.splitlines())
    assert result.out
    assert "Traceback" not in result.err


def test_a_file_that_is_no_database_is_reported(run: Run, database_path: Path) -> None:
    database_path.parent.mkdir()
    database_path.write_text("no database " * 1000)
    assert_error(run("db", "check"), "not a database")


@pytest.mark.process
def test_postgresql_is_checked(
    loaded: Run, record: Record, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(configured(1))
    name = postgres.new_database()
    with postgres.lent(name) as address:
        assert loaded("db", "copy", "--to", address).code == 0
        monkeypatch.setenv("DATABASE_URL", address)
        assert loaded("db", "check").out == "Nothing is wrong.\n"
        postgres.sql("DELETE FROM products WHERE id = 222", name)
        assert "variants: 1 row: refers to products" in loaded("db", "check").out


def test_a_file_that_is_not_there_is_not_made(run: Run, database_path: Path) -> None:
    """A missing file is not created, so that `db check` does not report a mistyped path to a backup as a valid backup."""
    assert_error(run("db", "check"), f"{database_path}: there is no database to check. DATABASE_URL names it.")
    assert not database_path.exists()


def test_a_folder_in_place_of_the_database_stays_as_it_is(run: Run, database_path: Path) -> None:
    database_path.mkdir(parents=True, mode=0o755)
    assert_error(run("keys", "list"), f"{database_path}: This is a folder, not a database.")
    assert database_path.stat().st_mode & 0o777 == 0o755
