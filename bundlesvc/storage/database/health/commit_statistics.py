"""Statistics of group commits: the number of writes per commit, and the duration of commits."""

from collections.abc import Iterator

from prometheus_client import Histogram, Metric

WRITES = (1, 2, 4, 8, 16, 32, 64, 128)
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class CommitStatistics:
    """Counts committed transactions, from any thread."""

    def __init__(self) -> None:
        self._writes = Histogram(
            "bundlesvc_group_commit_writes", "Writes that were committed together.", buckets=WRITES, registry=None
        )
        self._seconds = Histogram(
            "bundlesvc_group_commit_duration_seconds",
            "Seconds of a transaction, until it is on disk.",
            buckets=SECONDS,
            registry=None,
        )

    def committed(self, writes: int, seconds: float) -> None:
        self._writes.observe(writes)
        self._seconds.observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """Yield the commit statistics as metrics (the collector interface of prometheus_client)."""
        yield from self._writes.collect()
        yield from self._seconds.collect()
