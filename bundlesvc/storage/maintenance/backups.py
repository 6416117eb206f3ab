"""Backups of a SQLite file in a folder: their names and schedule, and the deletion of old backups."""

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from bundlesvc.ports import Clock
from bundlesvc.private_files import make_folder
from bundlesvc.storage.maintenance.housekeeping import backup

_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"backup-\d{8}T\d{6}Z\.db")


def backup_name(at: float) -> str:
    """Return the file name of a backup created at the given time (in seconds since 1970)."""
    return f"backup-{datetime.fromtimestamp(at, UTC):{_STAMP}}.db"


def backups_in(folder: Path) -> list[Path]:
    """Return the backups in a folder, newest first, or an empty list when the folder does not exist."""
    if not folder.is_dir():
        return []
    return sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name) and path.is_file()), reverse=True)


class ScheduledBackups:
    """Backs up a SQLite file every `seconds` seconds, and deletes all but the newest `keep` backups. Several processes may share
    the folder: a backup is named after the start of its period, so that only one process creates it."""

    def __init__(self, source: Path, folder: Path, seconds: float, keep: int, clock: Clock) -> None:
        self._source = source
        self._folder = folder
        self._seconds = seconds
        self._keep = keep
        self._clock = clock
        self._failures = 0

    async def run(self) -> None:
        """Create the backup for the current period, unless it already exists. Raises OSError."""
        now = self._clock.now()
        target = self._folder / backup_name(now - now % self._seconds)
        if await asyncio.to_thread(self._exists, target):
            return
        try:
            await backup(self._source, target)
        except FileExistsError:  # another process was first
            return
        except OSError:
            self._failures += 1
            raise
        await asyncio.to_thread(self._delete_old)

    def _exists(self, target: Path) -> bool:
        make_folder(self._folder)
        return target.exists()

    def _delete_old(self) -> None:
        for old in backups_in(self._folder)[self._keep :]:
            old.unlink(missing_ok=True)

    def collect(self) -> Iterator[Metric]:
        """Yield the age of the newest backup, the backup period, and the number of failures (the collector interface of
        prometheus_client)."""
        failures = CounterMetricFamily("bundlesvc_backup_failures", "Scheduled backups that failed.")
        failures.add_metric([], self._failures)
        yield failures
        yield GaugeMetricFamily(
            "bundlesvc_backup_period_seconds", "Seconds in which a backup is made.", value=self._seconds
        )
        newest = next(iter(backups_in(self._folder)), None)
        if newest is not None:
            age = self._clock.now() - newest.stat().st_mtime
            yield GaugeMetricFamily("bundlesvc_backup_age_seconds", "Age of the newest backup.", value=max(age, 0.0))
