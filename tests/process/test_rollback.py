"""An upgrade from the previous version is rolled back with a backup created before the upgrade. The old tables and rows are
restored."""

import asyncio
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bundlesvc.storage.migrations.schema import HEAD
from tests.process.serving import BASE, command, database_of, serving
from tests.servers.postgres_server import PostgresServer
from tests.storage.migrations.test_upgrading import OLDER, stored_version
from tests.storage.release_dump import FOLDER, dump_postgresql, dump_sqlite, restore_postgresql, restore_sqlite

BEFORE = OLDER[-1].name.removesuffix(".sqlite.sql")
"""The name of the dump from the newest version with older tables."""

GUIDE = Path(__file__).parents[2] / "docs" / "running.md"


@pytest.fixture
def old(tmp_path: Path) -> str:
    """The content of a database as left by the previous version."""
    file = database_of(tmp_path)
    file.parent.mkdir()
    restore_sqlite(FOLDER / f"{BEFORE}.sqlite.sql", file)
    return dump_sqlite(file)


def upgrade_and_use(folder: Path) -> None:
    """Upgrade with `serve`, and write data that the old version does not support."""
    with serving(folder) as server:
        assert server.get("/readyz").status == 200
        made = command(folder, "keys", "create", "--shop", "demo", "--label", "new")
        assert made.returncode == 0, made.stderr
        key = made.stdout.strip()
        while server.get(f"{BASE}/bundles", key).status == 403:  # until the service knows the key
            pass
        assert server.stop() == 0
        assert f"is upgraded from version {BEFORE.removeprefix('unreleased-')} to {HEAD}" in server.out.text
    assert command(folder, "usage", "--format", "csv").stdout.count("\n") > 1


def test_a_sqlite_database_is_rolled_back_with_either_backup(old: str, tmp_path: Path) -> None:
    file, before = database_of(tmp_path), tmp_path / "before.db"
    assert command(tmp_path, "db", "backup", before).returncode == 0
    refused = command(tmp_path, "shops", "list")
    assert (refused.returncode, refused.stderr.endswith("Run: bundlesvc db upgrade\n")) == (1, True)
    assert dump_sqlite(file) == old

    upgrade_and_use(tmp_path)
    (beside,) = file.parent.glob("*.backup")
    assert stored_version(file) == HEAD
    assert dump_sqlite(file) != old

    for backup in (beside, before):
        for ending in ("", "-wal", "-shm"):
            file.with_name(f"{file.name}{ending}").unlink(missing_ok=True)
        backup.rename(file)
        assert dump_sqlite(file) == old, "tables and rows are those of the old version"
        assert command(tmp_path, "db", "upgrade").returncode == 0  # a later upgrade succeeds


def script(name: str) -> str:
    """Return the guide's shell script that contains this string."""
    found: str
    (found,) = (text for text in re.findall(r"```sh\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL) if name in text)
    return found


@pytest.fixture
def databases(postgres: PostgresServer) -> Iterator[tuple[str, str]]:
    """Two empty databases: the current one, and one to restore into."""
    with postgres.lent(postgres.new_database()) as address, postgres.lent(postgres.new_database()) as new:
        yield address, new


def test_a_postgresql_database_is_rolled_back_into_a_new_one(
    postgres: PostgresServer, databases: tuple[str, str], tmp_path: Path
) -> None:
    address, new = databases
    asyncio.run(restore_postgresql(FOLDER / f"{BEFORE}.postgresql.sql", address))
    old = dump_postgresql(postgres, address.rpartition("/")[2])
    environment = {
        "PATH": f"{postgres.programs}:/usr/bin:/bin",
        "DATABASE_URL": address,
        "NEW_DATABASE_URL": new,
        "BACKUP": str(tmp_path / "shop.dump"),
    }
    subprocess.run(["sh", "-ec", script("pg_dump")], env=environment, check=True)
    settings = {"DATABASE_URL": address}
    upgraded = command(tmp_path, "db", "upgrade", settings=settings)
    assert upgraded.stderr == f"The tables are now at version {HEAD}.\n"
    assert dump_postgresql(postgres, address.rpartition("/")[2]) != old

    subprocess.run(["sh", "-ec", script("NEW_DATABASE_URL")], env=environment, check=True)
    assert dump_postgresql(postgres, new.rpartition("/")[2]) == old, "tables and rows are those of the old version"
    again = command(tmp_path, "db", "upgrade", settings={"DATABASE_URL": new})
    assert again.stderr == f"The tables are now at version {HEAD}.\n"
