"""Converts plain counters to metrics, as prometheus_client collects them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.utils import floatToGoString

HIT, MISS = "hit", "miss"
"""Results of reads of a cache."""


def histogram_buckets(bounds: Iterable[float], counts: Sequence[float]) -> list[tuple[str, float]]:
    """The cumulative buckets of a histogram. `counts` has one number more than `bounds`, for values above all of them."""
    limits = [*map(floatToGoString, bounds), "+Inf"]
    return list(zip(limits, accumulate(counts), strict=True))


def cache_reads(tier: str, reads: Mapping[tuple[str, str], int]) -> CounterMetricFamily:
    """Reads of a cache, by the kind of what was read and the result."""
    family = CounterMetricFamily(
        "bundlesvc_cache_reads", "Values read through a cache.", labels=["tier", "kind", "result"]
    )
    for (kind, result), count in reads.items():
        family.add_metric([tier, kind, result], count)
    return family


def cache_bytes(tier: str, size: int) -> GaugeMetricFamily:
    """The size of a cache."""
    family = GaugeMetricFamily("bundlesvc_cache_bytes", "Bytes in a cache.", labels=["tier"])
    family.add_metric([tier], size)
    return family
