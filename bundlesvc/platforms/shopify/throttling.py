"""What an operator sees of throttling: a line when it begins and one when it is over, and a counter."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, Metric

from bundlesvc.platforms.shopify.notices import Notices
from bundlesvc.ports import Clock

QUIET_SECONDS = 60.0
"""So long after the last throttled call the episode is over: a shop that is short of points goes back and forth."""


class ThrottlingStatistics:
    """How often calls to any shop were throttled."""

    def __init__(self) -> None:
        self.throttled = 0

    def collect(self) -> Iterator[Metric]:
        """The counter in the form that prometheus_client asks of a collector."""
        throttled = CounterMetricFamily(
            "bundlesvc_platform_throttled", "Calls that a live platform throttled, or that had no points in time."
        )
        throttled.add_metric([], self.throttled)
        yield throttled


class Throttling:
    """The episodes of one shop."""

    def __init__(self, clock: Clock, notices: Notices, statistics: ThrottlingStatistics) -> None:
        self._clock = clock
        self._notices = notices
        self._statistics = statistics
        self._last: float | None = None

    def throttled(self) -> None:
        """A call must wait for points, or was given up for want of them."""
        self._statistics.throttled += 1
        if self._last is None:
            self._notices.begin("the platform throttles: calls wait for query-cost points")
        self._last = self._clock.monotonic()

    def answered(self) -> None:
        """A call was answered."""
        if self._last is not None and self._clock.monotonic() - self._last >= QUIET_SECONDS:
            self._last = None
            self._notices.end("the platform throttles no longer.")
