"""Cache counters, which are converted to metrics when the metrics are collected."""

from collections import Counter
from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, Metric

from bundlesvc.caching.freshness import Grade
from bundlesvc.metrics.families import cache_reads


class CacheStatistics:
    """Counts reads and fetches by kind of entry and result, and entries whose bytes could not be decoded (`corrupt`)."""

    def __init__(self) -> None:
        self.reads: Counter[tuple[str, Grade]] = Counter()
        self.fetches: Counter[tuple[str, str]] = Counter()
        self.corrupt = 0

    def collect(self) -> Iterator[Metric]:
        """Yield the counters as metrics (the collector interface of prometheus_client)."""
        labels = ["kind", "result"]
        reads = cache_reads("platform", {(kind, grade.value): number for (kind, grade), number in self.reads.items()})
        fetches = CounterMetricFamily("bundlesvc_cache_fetches", "Fetches from the platform.", labels=labels)
        for (kind, result), number in self.fetches.items():
            fetches.add_metric([kind, result], number)
        corrupt = CounterMetricFamily("bundlesvc_cache_corrupt", "Cache entries that could not be read.")
        corrupt.add_metric([], self.corrupt)
        yield from (reads, fetches, corrupt)
