"""Metrics about orders: the number of orders received, and the verdicts on their bundles."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from bundlesvc.domain.orders.judged import RESULTS
from bundlesvc.domain.orders.verdict import CAUSES, DIFFERS, OUTCOMES
from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.services.orders.platform_orders import READINGS, PlatformOrderIntake

VERDICTS = tuple(verdict for verdict in (*OUTCOMES, *CAUSES) if verdict != DIFFERS)


class OrderStatistics:
    """Counts orders by result, and the bundles of stored orders by verdict: the cause of a difference if there is one, otherwise
    the outcome."""

    def __init__(self, intake: OrderIntake, platform_orders: PlatformOrderIntake, shops: ShopLabels) -> None:
        self._intake = intake
        self._platform_orders = platform_orders
        self._shops = shops

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as metrics (the collector interface of prometheus_client)."""
        orders = CounterMetricFamily("bundlesvc_orders", "Orders received, by result.", labels=["result", "shop"])
        verdicts = CounterMetricFamily(
            "bundlesvc_order_verdicts", "Bundles of stored orders, by verdict.", labels=["verdict", "shop"]
        )
        readings = CounterMetricFamily(
            "bundlesvc_order_readings",
            "Orders reported by a platform's webhooks, by the result of reading them.",
            labels=["result", "shop"],
        )
        for family, counts, names in (
            (orders, self._intake.results, RESULTS),
            (verdicts, self._intake.verdicts, VERDICTS),
            (readings, self._platform_orders.readings, READINGS),
        ):
            for labels, count in self._shops.summed(counts, names):
                family.add_metric(labels, count)
            yield family
        waiting, _ = self._platform_orders.waiting
        yield GaugeMetricFamily("bundlesvc_order_notices", "Orders of platforms that are still to be read.", waiting)
