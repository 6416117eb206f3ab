"""Combines the metrics of several collectors and processes.

Counters and histograms are added up. For each gauge, `GAUGES` defines whether the values are added up, or the highest or the
lowest value is used.
"""

from collections.abc import Callable, Iterable
from operator import add

from prometheus_client import Metric
from prometheus_client.samples import Sample

Labels = tuple[tuple[str, str], ...]

GAUGES: dict[str, Callable[[float, float], float]] = {
    "bundlesvc_backup_age_seconds": min,
    "bundlesvc_backup_period_seconds": max,
    "bundlesvc_build_info": max,
    "bundlesvc_cache_bytes": add,
    "bundlesvc_connections": add,
    "bundlesvc_database_bytes": max,
    "bundlesvc_ghost_product_variants": max,
    "bundlesvc_ghost_variants": max,
    "bundlesvc_order_notices": max,
    "bundlesvc_overdue_revisions": max,
    "bundlesvc_webhook_deliveries_waiting": max,
    "bundlesvc_platform_circuit_breakers": add,
    "bundlesvc_platform_points_left_ratio": min,
    "bundlesvc_processes": add,
    "bundlesvc_redis_up": min,
    "bundlesvc_replica_lag_bytes": max,
    "bundlesvc_replica_lag_seconds": max,
    "bundlesvc_replica_up": min,
    "bundlesvc_requests_in_flight": add,
    "bundlesvc_standby_lag_bytes": max,
    "bundlesvc_standby_lag_seconds": max,
    "bundlesvc_storage_free_bytes": min,
    "bundlesvc_storage_up": min,
    "bundlesvc_table_bytes": max,
    "bundlesvc_table_rows": max,
    "process_max_fds": add,
    "process_open_fds": add,
    "process_resident_memory_bytes": add,
    "process_start_time_seconds": min,
    "process_virtual_memory_bytes": add,
}
"""The function that merges the values of each gauge from several processes. Gauges of ghost variants, notices and revisions are
not added up, because every process counts all ghost variants, notices and revisions."""


class MergedMetrics:
    """Metrics by name, each value with its labels. A label with an empty value counts as absent. This class is itself a
    collector."""

    def __init__(self) -> None:
        self._families: dict[str, tuple[str, str, dict[tuple[str, Labels], float]]] = {}

    def add(self, metrics: Iterable[Metric], *, gauges: bool = True) -> None:
        """Add metrics. If `gauges` is False, as for a process that has ended, leave out the gauges."""
        for metric in metrics:
            if metric.type == "gauge" and not gauges:
                continue
            merge = GAUGES[metric.name] if metric.type == "gauge" else add
            _, _, values = self._families.setdefault(metric.name, (metric.documentation, metric.type, {}))
            for sample in metric.samples:
                if sample.name == f"{metric.name}_created":  # an extra time series per metric, which no query uses
                    continue
                key = sample.name, tuple((name, value) for name, value in sample.labels.items() if value)
                value = float(sample.value)
                values[key] = merge(values[key], value) if key in values else value

    def collect(self) -> Iterable[Metric]:
        """Yield the combined metrics (the collector interface of prometheus_client)."""
        for name, (documentation, kind, values) in self._families.items():
            metric = Metric(name, documentation, kind)
            metric.samples = [Sample(key, dict(labels), value) for (key, labels), value in values.items()]
            yield metric
