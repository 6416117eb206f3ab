"""Log lines for the operator about one shop's platform, logged once and not for every request."""

import logging

from bundlesvc.platforms.shopify.client.statistics import CallStatistics
from bundlesvc.ports import Clock

logger = logging.getLogger(__name__)

QUIET_SECONDS = 60.0
"""Seconds without a throttled call after which throttling counts as over: a shop short of points is throttled on and off."""


class Notices:
    """The log lines about one shop. They never contain tokens or secrets."""

    def __init__(self, domain: str) -> None:
        self._domain = domain
        self._logged: set[tuple[str, object]] = set()
        self._troubles: set[str] = set()

    def once(self, message: str, subject: object, *words: object) -> None:
        """Log a warning, once for each subject. Subject and words replace the `%s` in the message."""
        if (message, subject) not in self._logged:
            self._logged.add((message, subject))
            self.begin(message % (subject, *words))

    def trouble(self, message: str, *words: object) -> None:
        """Log why calls fail, once until the shop responds normally again."""
        if message not in self._troubles:
            self._troubles.add(message)
            self.begin(message % words)

    def well(self) -> None:
        """Log the end of a trouble: the shop responded normally."""
        if self._troubles:
            self._troubles.clear()
            self.end("the platform responds again.")

    def begin(self, message: str) -> None:
        """Log that a problem begins."""
        logger.warning("%s: %s", self._domain, message)

    def end(self, message: str) -> None:
        """Log that a problem is over."""
        logger.info("%s: %s", self._domain, message)


class ClientNotices(Notices):
    """The log lines of a shop's client, which also logs when the shop begins to throttle, and when it has stopped."""

    def __init__(self, domain: str, clock: Clock, statistics: CallStatistics) -> None:
        super().__init__(domain)
        self._clock = clock
        self._statistics = statistics
        self._throttled_at: float | None = None

    def throttled(self) -> None:
        """A call must wait for points, or failed for lack of them."""
        self._statistics.throttled += 1
        if self._throttled_at is None:
            self.begin("the platform throttles: calls wait for query-cost points")
        self._throttled_at = self._clock.monotonic()

    def well(self) -> None:
        super().well()
        if self._throttled_at is not None and self._clock.monotonic() - self._throttled_at >= QUIET_SECONDS:
            self._throttled_at = None
            self.end("the platform no longer throttles.")
