"""Shares metrics between workers: each worker writes its own metrics to a file, and the worker that is scraped reads the files of
all workers (docs/decisions/0027-metrics-of-all-workers.md)."""

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from prometheus_client import Metric

from bundlesvc.metrics.merging import MergedMetrics

logger = logging.getLogger(__name__)

PUBLISH_SECONDS = 2.0
"""Seconds between two writes of a worker's file. When another worker is scraped, the metrics in the file are at most this old."""

STALE_SECONDS = 30.0
"""Seconds without a write after which the worker of a file counts as ended, and its gauges are ignored."""

SUFFIX = ".json"


class WorkerFile:
    """The metrics file of one worker, which only that worker writes. When a worker ends, the next worker takes over its number
    and continues its counts, so that a counter never falls."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = folder
        self._path = folder / f"{number}{SUFFIX}"
        self._fails = False
        self._before = MergedMetrics()
        """The counts of earlier workers with this number."""
        found = _read(self._path)
        if found is not None:
            self._before.add(found.metrics, gauges=False)

    def publish(self, own: MergedMetrics) -> None:
        """Add the counts of this worker's predecessors to its `own` metrics, and write the result to its file."""
        own.add(self._before.collect())
        metrics = [
            [metric.name, metric.documentation, metric.type, [[*sample[:3]] for sample in metric.samples]]
            for metric in own.collect()
        ]
        new = self._path.with_suffix(".new")
        try:
            new.write_bytes(orjson.dumps([time.monotonic(), metrics]))
            new.replace(self._path)
        except OSError as error:
            if not self._fails:
                logger.warning("the other workers cannot see the metrics of this one: %s", error)
            self._fails = True
        else:
            self._fails = False

    def exchange(self, own: MergedMetrics) -> None:
        """Write this worker's metrics to its file, then add the metrics of all other workers to `own`. All counts that a page
        shows are then also in a file, so no other worker's page can show lower counters."""
        self.publish(own)
        for path in self._folder.glob(f"*{SUFFIX}"):
            found = None if path == self._path else _read(path)
            if found is not None:
                own.add(found.metrics, gauges=time.monotonic() - found.written_at < STALE_SECONDS)


class _WorkerMetrics(NamedTuple):
    """The content of a worker's file. `written_at` is in seconds of the monotonic clock, which all processes of a host share."""

    written_at: float
    metrics: list[Metric]


def _read(path: Path) -> _WorkerMetrics | None:
    """Read a worker's file. Returns None when it does not exist."""
    try:
        written_at, metrics = orjson.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    return _WorkerMetrics(written_at, list(_metrics(metrics)))


def _metrics(published: list[Any]) -> Iterator[Metric]:
    for name, documentation, kind, samples in published:
        metric = Metric(name, documentation, kind)
        for sample in samples:
            metric.add_sample(*sample)
        yield metric
