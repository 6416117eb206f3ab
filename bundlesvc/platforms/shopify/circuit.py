"""A circuit breaker for one shop: a platform that keeps failing is left alone for a while, then tried with one call."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.platforms.shopify.outcomes import Transient
from bundlesvc.ports import Clock

THRESHOLD = 5
"""So many failures in a row open the circuit."""
COOL_DOWN = 5.0
"""Seconds until one call may probe: a platform that is back is used again well within ten."""


class Circuit:
    """Closed: calls pass. Open: they fail at once. Half open, after the cool-down: one passes and decides."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._open_until: float | None = None
        self._probing = False

    @property
    def closed(self) -> bool:
        return self._open_until is None

    def check(self) -> None:
        """Raises PlatformUnavailable while no call may pass."""
        if self._open_until is None:
            return
        wait = self._open_until - self._clock.monotonic()
        if wait > 0 or self._probing:
            raise PlatformUnavailable(retry_after=max(1, ceil(wait)))

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Around one call: a Transient counts as a failure, any other end as an answer. One that is cancelled says nothing."""
        self.check()
        probe = self._probing = not self.closed
        try:
            yield
        except Transient:
            self._failed()
            raise
        except Exception:
            self._answered()
            raise
        else:
            self._answered()
        finally:
            if probe:
                self._probing = False

    def _failed(self) -> None:
        self._failures += 1
        if self._failures >= THRESHOLD:
            self._open_until = self._clock.monotonic() + COOL_DOWN

    def _answered(self) -> None:
        self._failures = 0
        self._open_until = None
