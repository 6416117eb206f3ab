"""How the metrics of several processes are merged into one page."""

from prometheus_client import Counter, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from bundlesvc.metrics.merging import MergedMetrics
from tests.scrape import Samples, samples


def page(merged: MergedMetrics) -> Samples:
    return samples(generate_latest(merged).decode())


def counter(value: float, **labels: str) -> Metric:
    family = CounterMetricFamily("calls", "Calls.", labels=list(labels))
    family.add_metric(list(labels.values()), value)
    return family


def gauge(name: str, value: float) -> Metric:
    return GaugeMetricFamily(name, "A gauge.", value=value)


def test_counters_with_the_same_labels_are_added() -> None:
    merged = MergedMetrics()
    merged.add([counter(1, kind="a"), counter(2, kind="b")])
    merged.add([counter(4, kind="a")])
    assert page(merged) == {'calls_total{kind="a"}': 5, 'calls_total{kind="b"}': 2}


def test_a_label_without_a_value_is_left_out() -> None:
    merged = MergedMetrics()
    merged.add([counter(1, kind="a", shop=""), counter(2, kind="a")])
    assert page(merged) == {'calls_total{kind="a"}': 3}


def test_histograms_are_added_bucket_by_bucket() -> None:
    merged = MergedMetrics()
    for seconds in (0.5, 3):
        histogram = Histogram("seconds", "Seconds.", buckets=(1, 5), registry=None)
        histogram.observe(seconds)
        merged.add(histogram.collect())
    assert page(merged) == {
        'seconds_bucket{le="1.0"}': 1,
        'seconds_bucket{le="5.0"}': 2,
        'seconds_bucket{le="+Inf"}': 2,
        "seconds_count": 2,
        "seconds_sum": 3.5,
    }


def test_gauges_are_added_or_the_worst_counts() -> None:
    merged = MergedMetrics()
    for connections, up, ghosts in ((3, 1, 7), (4, 0, 5)):
        merged.add([gauge("bundlesvc_connections", connections), gauge("bundlesvc_storage_up", up)])
        merged.add([gauge("bundlesvc_ghost_variants", ghosts)])
    assert page(merged) == {"bundlesvc_connections": 7, "bundlesvc_storage_up": 0, "bundlesvc_ghost_variants": 7}


def test_gauges_of_a_process_that_has_ended_do_not_count() -> None:
    merged = MergedMetrics()
    merged.add([counter(1), gauge("bundlesvc_connections", 3)], gauges=False)
    assert page(merged) == {"calls_total": 1}


def test_times_of_creation_are_left_out() -> None:
    merged, calls = MergedMetrics(), Counter("calls", "Calls.", registry=None)
    calls.inc()
    merged.add(calls.collect())
    assert page(merged) == {"calls_total": 1}
