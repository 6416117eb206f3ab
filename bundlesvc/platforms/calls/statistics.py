"""Metrics of the calls to live platforms, aggregated over all shops."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from prometheus_client import Counter, Histogram, Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.platforms.calls.call_errors import Throttled, Transient
from bundlesvc.platforms.calls.circuit_breaker import STATES
from bundlesvc.tracing.spans import span

SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
OK, FAILED, THROTTLED, REFUSED = "ok", "failed", "throttled", "refused"
"""Outcomes of calls."""

_OUTCOMES: Mapping[type[Exception], str] = {Transient: FAILED, Throttled: THROTTLED}


@dataclass(slots=True)
class Call:
    """One call, with the query-cost points that it used."""

    points: float = 0.0


class CallStatistics:
    """Metrics for calls by operation: their number, outcomes, durations and query-cost points. `throttled` also counts calls that
    were not sent because of throttling."""

    def __init__(self) -> None:
        self.throttled = 0
        self._calls = Counter(
            "bundlesvc_platform_calls", "Calls to live platforms, by outcome.", ["operation", "outcome"], registry=None
        )
        self._seconds = Histogram(
            "bundlesvc_platform_call_duration_seconds",
            "Seconds from a call to its response.",
            ["operation"],
            buckets=SECONDS,
            registry=None,
        )
        self._points = Counter(
            "bundlesvc_platform_points", "Query-cost points that calls cost.", ["operation"], registry=None
        )

    @contextmanager
    def call(self, operation: str) -> Iterator[Call]:
        """Count and time one call, as a context manager. A cancelled call is not counted."""
        call, began = Call(), time.perf_counter()
        try:
            with span(f"platform {operation}", {"graphql.operation.name": operation}):
                yield call
        except Exception as error:
            self._count(operation, _OUTCOMES.get(type(error), REFUSED), began, call)
            raise
        self._count(operation, OK, began, call)

    def _count(self, operation: str, outcome: str, began: float, call: Call) -> None:
        self._calls.labels(operation, outcome).inc()
        self._seconds.labels(operation).observe(time.perf_counter() - began)
        self._points.labels(operation).inc(call.points)

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of platform calls (the collector interface of prometheus_client)."""
        for metric in (self._calls, self._seconds, self._points):
            yield from metric.collect()
        throttled = CounterMetricFamily(
            "bundlesvc_platform_throttled",
            "Calls that a live platform throttled, or that were not sent because their points would have come too late.",
        )
        throttled.add_metric([], self.throttled)
        yield throttled


class ClientState(NamedTuple):
    """The state of a shop's client: the remaining share of its query-cost points (None on a platform without points), and the
    state of its circuit breaker."""

    shop: str
    points_left: float | None
    breaker: str


class ClientStates:
    """Metrics of the remaining query-cost points and of circuit breakers. They are reported per shop when shop labels are
    enabled; otherwise, as the lowest share of points and the number of breakers in each state."""

    def __init__(self, states: Callable[[], Iterable[ClientState]], shops: ShopLabels) -> None:
        self._states = states
        self._shops = shops

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of query-cost points and circuit breakers (the collector interface of prometheus_client)."""
        points = GaugeMetricFamily(
            "bundlesvc_platform_points_left_ratio",
            "Share of its query-cost points that a shop has left, the lowest of all shops.",
            labels=["shop"],
        )
        breakers = GaugeMetricFamily(
            "bundlesvc_platform_circuit_breakers", "Circuit breakers of shops, by state.", labels=["state", "shop"]
        )
        for state in self._states():
            shop = self._shops.of(state.shop)
            if state.points_left is not None:
                points.add_metric([shop], state.points_left)
            for name in STATES:
                breakers.add_metric([name, shop], int(name == state.breaker))
        yield from (points, breakers)
