"""Metrics about scheduled revisions."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from bundlesvc.services.revisions.publishing import RESULTS, Schedule


class ScheduleStatistics:
    """Counts scheduled revisions by result, and the overdue revisions: those that could not be published on time and are still
    waiting."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as metrics (the collector interface of prometheus_client)."""
        results = CounterMetricFamily(
            "bundlesvc_scheduled_revisions", "Attempts to publish scheduled revisions, by result.", labels=["result"]
        )
        for result in RESULTS:
            results.add_metric([result], self._schedule.results[result])
        yield results
        waiting = GaugeMetricFamily(
            "bundlesvc_overdue_revisions", "Scheduled revisions that could not be published at their times.", labels=[]
        )
        waiting.add_metric([], self._schedule.waiting)
        yield waiting
