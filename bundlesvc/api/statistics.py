"""Metrics of this process' requests, and of ghost variants."""

from collections import Counter
from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from bundlesvc.services.ghost_upkeep import GhostUpkeep
from bundlesvc.services.ghost_variants import GhostVariants


class RequestStatistics:
    """Plain counters, so that counting a request costs next to nothing. `collect` makes metrics of them.

    `under_way` counts the requests being handled now, `connections` the open ones, and `closed` those that were closed or
    refused for a limit, by reason. While `draining`, each connection is closed after its response.
    """

    def __init__(self) -> None:
        self._answered: dict[tuple[str, str, int], list[float]] = {}
        self.disconnects = 0
        self.under_way = 0
        self.connections = 0
        self.closed: Counter[str] = Counter()
        self.draining = False

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        entry = self._answered.get((method, route, status))
        if entry is None:
            entry = self._answered[method, route, status] = [0.0, 0.0]
        entry[0] += 1
        entry[1] += seconds

    def collect(self) -> Iterator[Metric]:
        """The counters as prometheus_client wants them from a collector."""
        labels = ["method", "route", "status"]
        requests = CounterMetricFamily("bundlesvc_requests", "Requests.", labels=labels)
        seconds = CounterMetricFamily("bundlesvc_request_seconds", "Seconds spent on requests.", labels=labels)
        for (method, route, status), (count, spent) in self._answered.items():
            requests.add_metric([method, route, str(status)], count)
            seconds.add_metric([method, route, str(status)], spent)
        gone = CounterMetricFamily("bundlesvc_disconnects", "Clients that disconnected before the response.")
        gone.add_metric([], self.disconnects)
        opened = GaugeMetricFamily("bundlesvc_connections", "Open connections.", self.connections)
        closed = CounterMetricFamily(
            "bundlesvc_connections_closed", "Connections closed or refused for a limit.", labels=["reason"]
        )
        for reason, count in self.closed.items():
            closed.add_metric([reason], count)
        yield from (requests, seconds, gone, opened, closed)


class GhostStatistics:
    """Ghost variants by state, retirements by reason, and products that are nearly full of them."""

    def __init__(self, ghosts: GhostVariants, upkeep: GhostUpkeep) -> None:
        self._ghosts = ghosts
        self._upkeep = upkeep

    def collect(self) -> Iterator[Metric]:
        """The counts as prometheus_client wants them from a collector."""
        retired = CounterMetricFamily(
            "bundlesvc_ghost_variants_retired", "Ghost variants that this process retired.", labels=["reason"]
        )
        retired.add_metric(["promise_broken"], self._upkeep.retired)
        retired.add_metric(["product_full"], self._ghosts.retired)
        yield retired
        states = GaugeMetricFamily(
            "bundlesvc_ghost_variants", "Ghost variants of all shops by state.", labels=["state"]
        )
        crowded = GaugeMetricFamily(
            "bundlesvc_ghost_product_variants",
            "Ghost variants of products that are at least 80 % full of them.",
            labels=["shop", "product"],
        )
        if (counts := self._upkeep.counts) is not None:  # None until they are first counted
            for state, count in counts.states.items():
                states.add_metric([state], count)
            for (shop, product_id), count in counts.crowded.items():
                crowded.add_metric([shop, str(product_id)], count)
        yield from (states, crowded)
