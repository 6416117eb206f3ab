"""The metrics page: the metrics of this process and of the other workers of the same `serve` command."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence

from prometheus_client import Metric, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from bundlesvc.metrics.merging import MergedMetrics
from bundlesvc.metrics.workers import WorkerFile

CONTENT_TYPE = CONTENT_TYPE_LATEST


class MetricsPage:
    """Renders the metrics of this process's collectors, or of all workers once `share` has been called."""

    def __init__(self, collectors: Iterable[Collector]) -> None:
        self._collectors: Sequence[Collector] = tuple(collectors)
        self._worker: WorkerFile | None = None
        self._page: bytes | None = None

    def share(self, worker: WorkerFile) -> None:
        """Share this worker's metrics with the other workers from now on."""
        self._worker = worker

    def render(self) -> bytes:
        """Render the page in Prometheus' text format."""
        merged = MergedMetrics()
        merged.add(self._own())
        if self._worker is not None:
            self._worker.exchange(merged)
        return generate_latest(merged)

    def for_scrape(self) -> bytes:
        """Return the page. It is rendered only once for all requests in the same turn of the event loop, so that a flood of
        requests without a key cannot use up all processor time."""
        if self._page is None:
            self._page = self.render()
            asyncio.get_running_loop().call_soon(self._forget)
        return self._page

    def _forget(self) -> None:
        self._page = None

    def publish(self) -> None:
        """Publish this worker's metrics to the other workers."""
        if self._worker is not None:
            merged = MergedMetrics()
            merged.add(self._own())
            self._worker.publish(merged)

    def _own(self) -> Iterator[Metric]:
        for collector in self._collectors:
            yield from collector.collect()
