"""Another user of the host tries to read the database, its backups and the secrets: these contain shoppers' addresses, and the
keys with which discounts of any amount can be created.

The folder has mode 0700 and the files 0600, whatever the umask. A file created by an older release has a mode that depended on
the umask; its mode is changed when the file is opened.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.process.serving import command, database_of, prepare, selection, serving
from tests.process.shop import BOX, MUG, PLAIN_MUG

pytestmark = pytest.mark.process

DEMO = {"BUNDLESVC_DEMO": "1", "BUNDLESVC_SECRET_KEYS": None}


@pytest.fixture(autouse=True)
def usual_umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(getattr(request, "param", 0o022))
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in folder.iterdir()}


@pytest.mark.parametrize("usual_umask", [0o000, 0o002, 0o022, 0o027, 0o077], indirect=True, ids=oct)
def test_running_service_creates_private_files(tmp_path: Path) -> None:
    with serving(tmp_path, settings=DEMO), serving(tmp_path):
        var = database_of(tmp_path).parent
        assert mode(var) == 0o700
        assert set(modes(var)) == {"shop.db", "shop.db-wal", "shop.db-shm", "demo-secret-keys"}
        assert set(modes(var).values()) == {0o600}


def test_demo_key_file_is_private(tmp_path: Path) -> None:
    key = prepare(tmp_path)
    with serving(tmp_path, settings=DEMO) as server:
        items = selection("native", (PLAIN_MUG, MUG, 2))
        assert server.post(f"/api/headless/v1/bundles/{BOX}/configure", key, items).status == 200
        found = modes(database_of(tmp_path).parent)
    assert found["demo-key"] == 0o600
    assert set(found.values()) == {0o600}


@pytest.mark.parametrize("usual_umask", [0o000, 0o022, 0o077], indirect=True, ids=oct)
def test_backup_is_private(tmp_path: Path) -> None:
    prepare(tmp_path)
    target = tmp_path / "backups" / "shop.db"

    assert command(tmp_path, "db", "backup", target).returncode == 0

    assert (mode(target.parent), mode(target)) == (0o700, 0o600)


@pytest.mark.parametrize("before", [0o604, 0o644, 0o646, 0o666], ids=oct)
def test_files_of_an_older_version_become_private(before: int, tmp_path: Path) -> None:
    prepare(tmp_path)
    file = database_of(tmp_path)
    with serving(tmp_path):
        for path in file.parent.iterdir():
            path.chmod(before)
        assert command(tmp_path, "shops", "list").returncode == 0
        assert set(modes(file.parent).values()) == {0o600}


def test_group_access_given_by_the_operator_stays(tmp_path: Path) -> None:
    prepare(tmp_path)
    file = database_of(tmp_path)
    file.chmod(0o640)

    assert command(tmp_path, "shops", "list").returncode == 0

    assert mode(file) == 0o640


def test_doctor_reports_files_of_another_user(tmp_path: Path) -> None:
    prepare(tmp_path)
    folder = database_of(tmp_path).parent
    folder.chmod(0o777)

    result = command(tmp_path, "doctor")

    assert result.returncode == 1
    assert (
        f"{folder}: every user of this host may open it. Close it, as its owner: chmod o-rwx {folder}" in result.stdout
    )
