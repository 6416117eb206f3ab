"""Log lines that report when the platform starts and stops throttling a shop's calls."""

from bundlesvc.platforms.calls.notices import Notices
from bundlesvc.platforms.calls.statistics import CallStatistics
from bundlesvc.ports import Clock

QUIET_SECONDS = 60.0
"""Seconds without a throttled call after which throttling counts as over. A shop that is short of points is throttled on and off,
so a shorter pause does not count as the end."""


class ClientNotices(Notices):
    """Writes the log lines of a shop's client, including those about the beginning and end of throttling."""

    def __init__(self, domain: str, clock: Clock, statistics: CallStatistics) -> None:
        super().__init__(domain)
        self._clock = clock
        self._statistics = statistics
        self._throttled_at: float | None = None

    def throttled(self) -> None:
        """Record that a call must wait for query-cost points, or failed because too few were left."""
        self._statistics.throttled += 1
        if self._throttled_at is None:
            self.begin("the platform throttles: calls wait for query-cost points")
        self._throttled_at = self._clock.monotonic()

    def well(self) -> None:
        super().well()
        if self._throttled_at is not None and self._clock.monotonic() - self._throttled_at >= QUIET_SECONDS:
            self._throttled_at = None
            self.end("the platform no longer throttles.")
