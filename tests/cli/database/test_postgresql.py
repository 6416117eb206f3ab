"""The command line on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bundlesvc.storage.migrations.schema import HEAD
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.process.shop import SHOP
from tests.servers.postgres_server import PostgresServer


@pytest.fixture
def address(postgres: PostgresServer) -> Iterator[str]:
    """The address of an empty database."""
    with postgres.lent(postgres.new_database()) as address:
        yield address


@pytest.fixture
def on_postgresql(run: Run, address: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", "")
    return run


@pytest.fixture
def upgraded(on_postgresql: Run) -> Run:
    assert on_postgresql("db", "upgrade").code == 0
    return on_postgresql


@pytest.mark.parametrize("arguments", [("shops", "list"), ("keys", "list"), ("load", SHOP), ("db", "prune")], ids=str)
def test_a_missing_schema_is_reported_with_the_command_to_run(
    arguments: tuple[object, ...], on_postgresql: Run
) -> None:
    result = on_postgresql(*arguments)
    assert (result.code, result.out) == (1, "")
    assert result.err == "bundlesvc: The database has no tables yet. Run: bundlesvc db upgrade\n"


def test_an_older_schema_is_reported_with_the_command_to_run(
    upgraded: Run, postgres: PostgresServer, address: str
) -> None:
    postgres.sql("UPDATE alembic_version SET version_num = '0001'", address.rpartition("/")[2])
    result = upgraded("shops", "list")
    assert result.code == 1
    assert result.err == (
        f"bundlesvc: The database is at version 0001, and this bundlesvc needs {HEAD}. Run: bundlesvc db upgrade\n"
    )


@pytest.mark.parametrize("arguments", [("shops", "list"), ("db", "upgrade")], ids=" ".join)
def test_a_newer_schema_is_reported(
    arguments: tuple[str, ...], upgraded: Run, postgres: PostgresServer, address: str
) -> None:
    postgres.sql("UPDATE alembic_version SET version_num = '9999'", address.rpartition("/")[2])
    assert_error(upgraded(*arguments), "9999", "newer")


def test_upgrade_creates_the_tables_once(on_postgresql: Run) -> None:
    assert on_postgresql("db", "upgrade").err == f"The tables are now at version {HEAD}.\n"
    assert on_postgresql("db", "upgrade").err == f"The tables are already at version {HEAD}.\n"


def test_commands_work_on_postgresql(upgraded: Run) -> None:
    assert upgraded("load", SHOP).err.startswith("demo: loaded ")
    assert upgraded("load", SHOP).err == "demo: nothing changed.\n"
    key = upgraded("keys", "create", "--shop", "demo", "--label", "web", "--json").json
    assert key["prefix"] in upgraded("keys", "list").out
    assert upgraded("keys", "revoke", key["prefix"]).code == 0
    assert upgraded("shops", "disable", "demo").code == 0
    assert "demo" in upgraded("shops", "list").out
    assert upgraded("subscriptions", "list").code == 0
    assert upgraded("reminders", "list").code == 0
    assert {line[0] for line in upgraded("db", "prune").err.splitlines()} == {"0"}


def test_backup_refers_to_pg_dump(upgraded: Run, tmp_path: Path) -> None:
    assert_error(upgraded("db", "backup", tmp_path / "backup.db"), "PostgreSQL", "pg_dump")
    assert not (tmp_path / "backup.db").exists()


def test_serve_without_tables_is_refused(on_postgresql: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_DEMO", "1")
    result = on_postgresql("serve", "--port", "0")
    assert result.code == 1
    assert result.err == "bundlesvc: The database has no tables yet. Run: bundlesvc db upgrade\n"


@pytest.mark.parametrize("arguments", [("shops", "list"), ("db", "upgrade"), ("db", "prune")], ids=" ".join)
def test_an_unreachable_server_is_reported(
    arguments: tuple[str, ...], on_postgresql: Run, unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgres://user:hunter2@127.0.0.1:{unused_tcp_port}/shop")
    result = on_postgresql(*arguments)
    assert_error(result, "cannot be reached", f"DATABASE_URL names it: postgresql://127.0.0.1:{unused_tcp_port}/shop")
    assert "hunter2" not in result.err


def test_a_missing_database_is_reported(
    on_postgresql: Run, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres.url("nothing_of_this_name"))
    assert_error(on_postgresql("shops", "list"), 'database "nothing_of_this_name" does not exist')


def test_the_longest_label_is_stored(upgraded: Run) -> None:
    upgraded("load", SHOP)
    create = ("keys", "create", "--shop", "demo", "--label")
    assert upgraded(*create, "x" * 255).code == 0
    assert_usage(upgraded(*create, "x" * 256), "at most 255 characters")
