"""The health of the database. Failures are counted, and logged when they begin and when they end."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from bundlesvc.domain.errors import StorageFull, StorageLocked, StorageReadOnly, StorageUnavailable
from bundlesvc.storage.database.health.causes import cause
from bundlesvc.storage.database.health.commit_statistics import CommitStatistics
from bundlesvc.storage.database.health.replica_health import ReplicaHealth

logger = logging.getLogger(__name__)

FULL, READ_ONLY, LOCKED, GONE = "full", "read_only", "locked", "gone"
REASONS = (FULL, READ_ONLY, LOCKED, GONE)
_REASON_OF = {StorageFull: FULL, StorageReadOnly: READ_ONLY, StorageLocked: LOCKED}


class StorageHealth:
    """Keeps the last failure until a write succeeds, and collects metrics. `free_bytes` returns the free disk space for a SQLite
    file."""

    def __init__(self, free_bytes: Callable[[], int | None] = lambda: None) -> None:
        self.failure: type[StorageUnavailable] | None = None
        self._failures: Counter[str] = Counter()
        self.free_bytes = free_bytes
        self.commits = CommitStatistics()
        self.replica: ReplicaHealth | None = None
        self._logs = False

    def log(self) -> None:
        """Log failures from now on. Commands do not call this, because they exit with the message of the first failure."""
        self._logs = True

    def check(self) -> None:
        """Raise the current failure, if any. A locked database is not reported, because the lock will be released without
        intervention."""
        if self.failure is not None and self.failure is not StorageLocked:
            raise self.failure

    def failed(self, failure: StorageUnavailable) -> None:
        reason = _REASON_OF.get(type(failure), GONE)
        self._failures[reason] += 1
        if self._logs and self.failure is not type(failure):
            logger.warning("the database fails (%s): %s", reason, cause(failure))
        self.failure = type(failure)

    def wrote(self) -> None:
        """Record that a write succeeded. This does not clear the failure when the disk is full, because a small write may still
        fit."""
        if self.failure is not None and self.failure is not StorageFull:
            self.recovered()

    def recovered(self) -> None:
        """Record that a test write succeeded, which clears any failure."""
        if self._logs and self.failure is not None:
            logger.info("the database works again.")
        self.failure = None

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of this object (the collector interface of prometheus_client)."""
        failures = CounterMetricFamily(
            "bundlesvc_storage_failures", "Failures of the database by reason.", labels=["reason"]
        )
        for reason in REASONS:
            failures.add_metric([reason], self._failures[reason])
        yield failures
        yield GaugeMetricFamily(
            "bundlesvc_storage_up", "Whether the database can be read and written.", value=int(self.failure is None)
        )
        free = self.free_bytes()
        if free is not None:
            yield GaugeMetricFamily("bundlesvc_storage_free_bytes", "Free bytes on the database's disk.", value=free)
        yield from self.commits.collect()
        if self.replica is not None:
            yield from self.replica.collect()
