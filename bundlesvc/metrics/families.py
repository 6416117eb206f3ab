"""Builds metrics from plain counts (for the collector interface of prometheus_client)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.utils import floatToGoString

HIT, MISS = "hit", "miss"
"""The results of cache reads."""


def histogram_buckets(bounds: Iterable[float], counts: Sequence[float]) -> list[tuple[str, float]]:
    """Return the cumulative buckets of a histogram. `counts` has one more entry than `bounds`, for values above all of them."""
    limits = [*map(floatToGoString, bounds), "+Inf"]
    return list(zip(limits, accumulate(counts), strict=True))


def cache_reads(tier: str, reads: Mapping[tuple[str, str], int]) -> CounterMetricFamily:
    """Return a metric that counts the reads of a cache, by the kind of value and the result."""
    family = CounterMetricFamily(
        "bundlesvc_cache_reads", "Values read through a cache.", labels=["tier", "kind", "result"]
    )
    for (kind, result), count in reads.items():
        family.add_metric([tier, kind, result], count)
    return family


def cache_bytes(tier: str, size: int) -> GaugeMetricFamily:
    """Return a metric for the size of a cache."""
    family = GaugeMetricFamily("bundlesvc_cache_bytes", "Bytes in a cache.", labels=["tier"])
    family.add_metric([tier], size)
    return family
