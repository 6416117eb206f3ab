"""Scheduled backups: one is made per period, whatever the number of processes, and only the newest ones are kept."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from bundlesvc.storage.maintenance.backups import ScheduledBackups, backup_name, backups_in
from tests.fakes import FakeClock

HOUR = 3600.0


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute("INSERT INTO t VALUES (1)")
    connection.close()
    return path


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(1_800_000_000.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def backups(source: Path, folder: Path, clock: FakeClock) -> ScheduledBackups:
    return ScheduledBackups(source, folder, HOUR, keep=3, clock=clock)


@pytest.fixture
def notes(folder: Path) -> None:
    """Create the folder, with a file in it that does not belong to the service."""
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")


def permissions(path: Path) -> int:
    return path.stat().st_mode & 0o777


def made_at(path: Path) -> float:
    return path.stat().st_mtime


def others_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path not in backups_in(folder)]


def damaged(path: Path) -> Path:
    path.write_bytes(b"not a database" * 1000)
    return path


def values(backups: ScheduledBackups) -> dict[str, float]:
    return {sample.name: sample.value for metric in backups.collect() for sample in metric.samples}


async def test_one_backup_in_each_period(backups: ScheduledBackups, folder: Path, clock: FakeClock) -> None:
    for _ in range(4):
        await backups.run()
        await backups.run()
        clock.move(HOUR / 2)
    assert len(backups_in(folder)) == 2


async def test_backup_is_a_whole_database(backups: ScheduledBackups, folder: Path) -> None:
    await backups.run()
    (made,) = backups_in(folder)
    connection = sqlite3.connect(made)
    assert connection.execute("SELECT x FROM t").fetchall() == [(1,)]
    connection.close()
    assert [permissions(path) for path in (made, folder)] == [0o600, 0o700]


async def test_processes_make_one_backup_in_all(source: Path, folder: Path, clock: FakeClock) -> None:
    processes = [ScheduledBackups(source, folder, HOUR, 3, clock) for _ in range(4)]
    await asyncio.gather(*(process.run() for process in processes))
    assert len(backups_in(folder)) == 1
    assert all(values(process)["bundlesvc_backup_failures_total"] == 0 for process in processes)


async def test_only_the_newest_stay_and_nothing_else_is_deleted(
    backups: ScheduledBackups, folder: Path, clock: FakeClock, notes: None
) -> None:
    for _ in range(6):
        await backups.run()
        clock.move(HOUR)
    assert len(backups_in(folder)) == 3
    assert backups_in(folder)[0].name == backup_name(clock.now() - HOUR - clock.now() % HOUR)
    assert others_in(folder) == ["notes.txt"]


async def test_failure_leaves_no_half_backup_and_is_counted(source: Path, folder: Path, clock: FakeClock) -> None:
    backups = ScheduledBackups(damaged(source), folder, HOUR, 3, clock)
    with pytest.raises(OSError, match="backup failed"):
        await backups.run()
    assert backups_in(folder) == []
    assert values(backups)["bundlesvc_backup_failures_total"] == 1


async def test_age_is_that_of_the_newest(backups: ScheduledBackups, folder: Path, clock: FakeClock) -> None:
    assert "bundlesvc_backup_age_seconds" not in values(backups)
    await backups.run()
    made = made_at(backups_in(folder)[0])
    assert values(backups)["bundlesvc_backup_age_seconds"] == max(clock.now() - made, 0.0)
    assert values(backups)["bundlesvc_backup_period_seconds"] == HOUR
