"""The commands on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bundlesvc.storage.schema import HEAD
from tests.cli.command_line import Run, assert_sentence, assert_usage
from tests.postgres_server import PostgresServer
from tests.process.shop import SHOP


@pytest.fixture
def address(postgres: PostgresServer) -> Iterator[str]:
    """An empty database."""
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
def test_without_tables_a_command_says_what_to_run(arguments: tuple[object, ...], on_postgresql: Run) -> None:
    result = on_postgresql(*arguments)
    assert (result.code, result.out) == (1, "")
    assert result.err == "bundlesvc: The database has no tables yet. Run: bundlesvc db upgrade\n"


def test_with_tables_of_an_older_version_a_command_says_what_to_run(
    upgraded: Run, postgres: PostgresServer, address: str
) -> None:
    postgres.sql("UPDATE alembic_version SET version_num = '0001'", address.rpartition("/")[2])
    result = upgraded("shops", "list")
    assert result.code == 1
    assert result.err == (
        f"bundlesvc: The database is at version 0001, and this bundlesvc needs {HEAD}. Run: bundlesvc db upgrade\n"
    )


@pytest.mark.parametrize("arguments", [("shops", "list"), ("db", "upgrade")], ids=" ".join)
def test_a_database_of_a_newer_bundlesvc(
    arguments: tuple[str, ...], upgraded: Run, postgres: PostgresServer, address: str
) -> None:
    postgres.sql("UPDATE alembic_version SET version_num = '9999'", address.rpartition("/")[2])
    assert_sentence(upgraded(*arguments), "9999", "newer")


def test_upgrade(on_postgresql: Run) -> None:
    assert on_postgresql("db", "upgrade").err == f"The tables are now at version {HEAD}.\n"
    assert on_postgresql("db", "upgrade").err == f"The tables are already at version {HEAD}.\n"


def test_a_shop_its_keys_and_what_is_old(upgraded: Run) -> None:
    assert upgraded("load", SHOP).err.startswith("demo: loaded ")
    assert upgraded("load", SHOP).err == "demo: nothing changed.\n"
    key = upgraded("keys", "create", "--shop", "demo", "--label", "web", "--json").json
    assert key["prefix"] in upgraded("keys", "list").out
    assert upgraded("keys", "revoke", key["prefix"]).code == 0
    assert upgraded("shops", "disable", "demo").code == 0
    assert "demo" in upgraded("shops", "list").out
    assert upgraded("subscriptions", "list").code == 0
    assert upgraded("reminders", "list").code == 0
    assert upgraded("db", "prune").err == "0 stored responses deleted.\n0 configured bundles deleted.\n"


def test_a_backup_is_pg_dump_s_business(upgraded: Run, tmp_path: Path) -> None:
    assert_sentence(upgraded("db", "backup", tmp_path / "backup.db"), "PostgreSQL", "pg_dump")
    assert not (tmp_path / "backup.db").exists()


def test_serving_without_tables(on_postgresql: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_DEMO", "1")
    result = on_postgresql("serve", "--port", "0")
    assert result.code == 1
    assert result.err == "bundlesvc: The database has no tables yet. Run: bundlesvc db upgrade\n"


@pytest.mark.parametrize("arguments", [("shops", "list"), ("db", "upgrade"), ("db", "prune")], ids=" ".join)
def test_a_server_that_is_not_there(
    arguments: tuple[str, ...], on_postgresql: Run, unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgres://user:hunter2@127.0.0.1:{unused_tcp_port}/shop")
    result = on_postgresql(*arguments)
    assert_sentence(result, "cannot be reached")
    assert "hunter2" not in result.err


def test_a_database_that_is_not_there(
    on_postgresql: Run, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres.url("nothing_of_this_name"))
    assert_sentence(on_postgresql("shops", "list"), 'database "nothing_of_this_name" does not exist')


def test_the_longest_label(upgraded: Run) -> None:
    upgraded("load", SHOP)
    create = ("keys", "create", "--shop", "demo", "--label")
    assert upgraded(*create, "x" * 255).code == 0
    assert_usage(upgraded(*create, "x" * 256), "at most 255 characters")
