"""How well the cache does: plain counters, which become metrics when someone looks."""

from collections import Counter
from collections.abc import Iterable, Iterator

from prometheus_client.core import CounterMetricFamily, Metric

from bundlesvc.caching.kinds import Grade


class CacheStatistics:
    """Reads by kind of answer and how they were served; questions to the platform by kind and how they ended."""

    def __init__(self) -> None:
        self._reads: Counter[tuple[str, Grade]] = Counter()
        self._fetches: Counter[tuple[str, str]] = Counter()
        self.rubbish = 0

    def count_reads(self, kind: str, grades: Iterable[Grade]) -> None:
        for grade, number in Counter(grades).items():
            self._reads[kind, grade] += number

    def count_fetch(self, kind: str, result: str) -> None:
        self._fetches[kind, result] += 1

    def collect(self) -> Iterator[Metric]:
        """The counters in the form that prometheus_client asks of a collector."""
        labels = ["kind", "result"]
        reads = CounterMetricFamily("bundlesvc_cache_reads", "Answers looked for in the cache.", labels=labels)
        for (kind, grade), number in self._reads.items():
            reads.add_metric([kind, grade.value], number)
        fetches = CounterMetricFamily("bundlesvc_cache_fetches", "Questions that the cache put.", labels=labels)
        for (kind, result), number in self._fetches.items():
            fetches.add_metric([kind, result], number)
        rubbish = CounterMetricFamily("bundlesvc_cache_rubbish", "Cached bytes that could not be read.")
        rubbish.add_metric([], self.rubbish)
        yield from (reads, fetches, rubbish)
