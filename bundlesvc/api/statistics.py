"""What this process has answered: counts and seconds by route and status, for the metrics page."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, Metric


class RequestStatistics:
    """Plain counters, so that counting a request costs next to nothing; they become metrics when someone looks.

    `under_way` are the requests being answered now; while `draining`, connections end with their answer.
    """

    def __init__(self) -> None:
        self._answered: dict[tuple[str, str, int], list[float]] = {}
        self.disconnects = 0
        self.under_way = 0
        self.draining = False

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        entry = self._answered.get((method, route, status))
        if entry is None:
            entry = self._answered[method, route, status] = [0.0, 0.0]
        entry[0] += 1
        entry[1] += seconds

    def collect(self) -> Iterator[Metric]:
        """The counters in the form that prometheus_client asks of a collector."""
        labels = ["method", "route", "status"]
        requests = CounterMetricFamily("bundlesvc_requests", "Requests answered.", labels=labels)
        seconds = CounterMetricFamily("bundlesvc_request_seconds", "Seconds spent on them.", labels=labels)
        for (method, route, status), (count, spent) in self._answered.items():
            requests.add_metric([method, route, str(status)], count)
            seconds.add_metric([method, route, str(status)], spent)
        gone = CounterMetricFamily("bundlesvc_disconnects", "Clients that went away before they were answered.")
        gone.add_metric([], self.disconnects)
        yield from (requests, seconds, gone)
