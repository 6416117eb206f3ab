"""`bundlesvc db copy`."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bundlesvc.cli.database import copying
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.parts import whole_tables
from bundlesvc.storage.maintenance.copying import copy_database
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.process.shop import SHOP
from tests.servers.postgres_server import PostgresServer
from tests.storage.filled import all_rows, fill


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "copy.db"


def test_a_copy_is_a_database(loaded: Run, target: Path, monkeypatch: pytest.MonkeyPatch, database_path: Path) -> None:
    result = loaded("db", "copy", "--to", f"sqlite:///{target}")
    assert (result.code, result.out) == (0, "")
    *steps, last = result.err.splitlines()
    assert "products: 4 of 4 rows." in steps
    assert last.startswith(f"{target}: 16 rows copied in ")
    assert target.stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{target}")
    assert loaded("load", SHOP).err == "demo: nothing changed.\n"


def test_an_unfinished_copy_is_not_opened(loaded: Run, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    copy = "db", "copy", "--to", f"sqlite:///{target}"
    with monkeypatch.context() as patched:
        patched.setattr("bundlesvc.storage.maintenance.copying.add_rows", fail)
        assert loaded(*copy).code != 0
    with monkeypatch.context() as patched:
        patched.setenv("DATABASE_URL", f"sqlite:///{target}")
        for command in (("shops", "list"), ("load", SHOP), ("db", "upgrade")):
            assert_error(loaded(*command), "unfinished copy", "`bundlesvc db copy`")
    assert loaded(*copy).code == 0


def test_a_source_that_was_written_to_is_reported(
    loaded: Run, target: Path, monkeypatch: pytest.MonkeyPatch, database_path: Path
) -> None:
    async def copied(*arguments: object) -> object:
        result = await copy_database(*arguments)  # type: ignore[arg-type]
        with closing(sqlite3.connect(database_path)) as other:
            other.execute("DELETE FROM experiments")
            other.commit()
        return result

    monkeypatch.setattr(copying, "copy_database", copied)
    result = loaded("db", "copy", "--to", f"sqlite:///{target}")
    assert result.code == 1
    assert "experiments: the source now has 0 rows, and the copy 1.\n" in result.err
    assert "Stop the service" in result.err


def test_long_tables_report_on_their_way(
    run: Run, database_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "LINE_ROWS", 2)
    monkeypatch.setattr(whole_tables, "PART_ROWS", 2)

    async def make() -> None:
        async with open_database(str(database_path)) as database:
            await fill(database)

    async def both() -> list[object]:
        found: list[object] = []
        for path in (database_path, target):
            async with open_database(str(path)) as database:
                found.append(await all_rows(database))
        return found

    run("db", "upgrade")
    asyncio.run(make())
    result = run("db", "copy", "--to", f"sqlite:///{target}")
    assert result.code == 0, result.err
    assert "api_keys: 2 of 3 rows.\napi_keys: 3 of 3 rows.\n" in result.err
    source, copied = asyncio.run(both())
    assert source == copied


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("copy.db", "Must be sqlite:///"),
        ("sqlite:///:memory:", "in memory"),
        ("mysql://root:hunter2@host/shop", "Must be sqlite:///"),
        ("postgresql://user:hunter2@@host/shop", "percent-encoded"),
    ],
)
def test_a_wrong_url_is_refused(url: str, word: str, loaded: Run) -> None:
    result = loaded("db", "copy", "--to", url)
    assert_usage(result, word)
    assert "hunter2" not in result.err


def test_a_missing_source_is_reported(run: Run, target: Path, database_path: Path) -> None:
    assert_error(run("db", "copy", "--to", f"sqlite:///{target}"), str(database_path), "no database to copy")
    assert not target.exists()
    assert not database_path.parent.exists()


def test_the_source_itself_is_refused_as_target(loaded: Run, database_path: Path) -> None:
    assert_error(loaded("db", "copy", "--to", f"sqlite:///{database_path}"), "The target is the source")
    assert loaded("load", SHOP).err == "demo: nothing changed.\n"


def test_a_target_that_is_no_database_is_reported(loaded: Run, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("precious " * 1000)
    assert_error(loaded("db", "copy", "--to", f"sqlite:///{file}"), f"{file}: The target fails", "not a database")
    assert file.read_text() == "precious " * 1000
    assert_error(loaded("db", "copy", "--to", f"sqlite:///{tmp_path}"))
    assert_error(loaded("db", "copy", "--to", f"sqlite:///{file}/copy.db"))


def test_an_unreachable_target_is_reported(loaded: Run, unused_tcp_port: int) -> None:
    result = loaded("db", "copy", "--to", f"postgresql://user:hunter2@127.0.0.1:{unused_tcp_port}/shop")
    assert_error(result, "target", "Connect call failed")
    assert "hunter2" not in result.err


@pytest.mark.process
def test_a_shop_moves_to_postgresql_and_back(
    loaded: Run, target: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres.lent(postgres.new_database()) as address:
        moved = loaded("db", "copy", "--to", address)
        assert moved.code == 0, moved.err
        assert f"postgresql://127.0.0.1:{postgres.port}/" in moved.err
        assert_error(loaded("db", "copy", "--to", address), "not empty")
        monkeypatch.setenv("DATABASE_URL", address)
        assert loaded("load", SHOP).err == "demo: nothing changed.\n"
        assert loaded("db", "copy", "--to", f"sqlite:///{target}").code == 0
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{target}")
    assert loaded("load", SHOP).err == "demo: nothing changed.\n"


@pytest.mark.process
def test_a_copy_passes_a_pooler(
    loaded: Run, target: Path, postgres: PostgresServer, pooler: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = postgres.new_database()
    with postgres.lent(name):
        address = f"{postgres.url(name, port=pooler)}?pgbouncer=true"
        copied = loaded("db", "copy", "--to", address)
        assert copied.code == 0, copied.err
        monkeypatch.setenv("DATABASE_URL", address)
        assert loaded("db", "check").out == "Nothing is wrong.\n"
        assert loaded("db", "copy", "--to", f"sqlite:///{target}").code == 0
