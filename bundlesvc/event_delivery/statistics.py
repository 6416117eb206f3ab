"""Metrics of outgoing webhooks."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.services.events.delivery import RESULTS, EventDelivery


class EventStatistics:
    """The metrics of outgoing webhooks: attempts by result, and the deliveries that are waiting."""

    def __init__(self, delivery: EventDelivery, shops: ShopLabels) -> None:
        self._delivery = delivery
        self._shops = shops

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of outgoing webhooks (the collector interface of prometheus_client)."""
        attempts = CounterMetricFamily(
            "bundlesvc_webhook_deliveries", "Attempts to deliver an event, by result.", labels=["result", "shop"]
        )
        for (result, shop), count in self._shops.summed(self._delivery.results, RESULTS):
            attempts.add_metric([result, shop], count)
        yield attempts
        waiting = GaugeMetricFamily("bundlesvc_webhook_deliveries_waiting", "Deliveries that wait, at the last look.")
        waiting.add_metric([], self._delivery.waiting)
        yield waiting
