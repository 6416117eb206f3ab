"""`bundlesvc load --watch` loads changed files, and continues after a file with faults."""

import os
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bundlesvc.cli.shop_file.files import watched_files
from bundlesvc.cli.shop_file.files.file_loads import FileLoads
from bundlesvc.cli.shop_file.files.named_files import files_of
from bundlesvc.cli.shop_file.files.watched_files import WatchedFiles
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from tests.process.serving import COMMAND, TIMEOUT, Output, started
from tests.process.shop import SHOP
from tests.storage.prepared import make_database

TEXT = SHOP.read_text()

IN_BACKGROUND = ("sh", "-c", 'trap "" INT; exec "$@"', "sh", *COMMAND)
"""The command as a shell without job control starts it in the background: SIGINT is ignored."""


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    make_database(tmp_path / "test.db")
    async with open_database(str(tmp_path / "test.db")) as database:
        yield database


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that contains only the shop file of the test shop."""
    folder = tmp_path / "shops"
    folder.mkdir()
    (folder / "b.yaml").write_text(TEXT)
    return folder


@pytest.fixture
def watched(folder: Path, database: Database) -> WatchedFiles:
    return WatchedFiles(lambda: files_of([folder]), FileLoads(database))


def replace_file(path: Path, text: str) -> None:
    """Replace a file as editors do: write a new file, and rename it."""
    other = path.with_name(f"{path.name}~")
    other.write_text(text)
    other.rename(path)


def touch(path: Path) -> None:
    """Move the modification time of a file one second ahead, because the clock of the file system may be too coarse to show a
    change."""
    later = path.stat().st_mtime_ns + 10**9
    os.utime(path, ns=(later, later))


async def test_a_change_is_loaded_and_printed(watched: WatchedFiles, folder: Path, database: Database) -> None:
    first = await watched.follow()
    assert first[:2] == ["demo: loaded, 11 changes", "  + shop demo"]
    assert await watched.follow() == []

    replace_file(folder / "b.yaml", TEXT.replace("name: Box", "name: Crate"))
    assert await watched.follow() == ["demo: loaded, 1 change", "  ~ bundle 42 name: Box -> Crate"]
    stored = await SqlShopFileStore(database).stored("demo")
    assert stored is not None
    assert stored.bundles[0].name == "Crate"

    touch(folder / "b.yaml")
    assert await watched.follow() == ["demo: nothing changed."]


async def test_a_file_with_faults_is_loaded_once_they_are_fixed(watched: WatchedFiles, folder: Path) -> None:
    await watched.follow()
    path = folder / "b.yaml"
    replace_file(path, TEXT.replace("currency: USD", "currency: dollars"))
    fault, summary = await watched.follow()
    assert re.match(rf"{re.escape(str(path))}:\d+: markets\.1\.currency: 'dollars' is not", fault)
    assert summary == f"{path}: nothing was loaded."
    assert await watched.follow() == []
    replace_file(path, TEXT.replace("name: Box", "name: Crate"))
    assert await watched.follow() == ["demo: loaded, 1 change", "  ~ bundle 42 name: Box -> Crate"]


async def test_files_come_and_go(watched: WatchedFiles, folder: Path) -> None:
    await watched.follow()
    (folder / "a.yaml").write_text(TEXT)
    (folder / "notes.txt").write_text("not a shop file")
    assert await watched.follow() == [
        f"{folder / 'a.yaml'}: the shop demo is described in {folder / 'b.yaml'}, too; nothing was loaded."
    ]
    (folder / "b.yaml").unlink()
    assert await watched.follow() == [f"{folder / 'b.yaml'}: this file is gone; the shop demo stays as it is."]
    assert await watched.follow() == []
    touch(folder / "a.yaml")
    assert await watched.follow() == ["demo: nothing changed."]


async def test_an_empty_folder_is_reported_once(watched: WatchedFiles, folder: Path) -> None:
    (folder / "b.yaml").unlink()
    assert (await watched.follow())[-1] == f"{folder}: nothing was loaded."
    (folder / "b.yaml").write_text(TEXT)
    touch(folder)
    lines = await watched.follow()
    assert lines[0] == "demo: loaded, 11 changes"
    assert f"{folder}: nothing was loaded." not in lines


async def test_a_long_list_of_changes_is_cut(
    watched: WatchedFiles, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_files, "MOST_LINES", 2)
    assert await watched.follow() == ["demo: loaded, 11 changes", "  + shop demo", "  + market JP", "  … and 9 more"]


@pytest.mark.process
def test_watching_ends_with_ctrl_c(folder: Path) -> None:
    with started(folder, "load", "--watch", str(folder), program=IN_BACKGROUND) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = Output(process.stdout), Output(process.stderr)
        assert err.wait_for(re.compile("demo: loaded, 11 changes"))
        replace_file(folder / "b.yaml", TEXT.replace("name: Box", "name: Crate"))
        assert err.wait_for(re.compile("bundle 42 name: Box -> Crate"))
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == 0
        assert "Traceback" not in err.end()
        assert out.end() == ""
