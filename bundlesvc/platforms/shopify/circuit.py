"""A circuit breaker for one shop: a platform that keeps failing, or that refuses us, is left alone for a while, then tried with
one call."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from bundlesvc.domain.errors import PlatformUnavailable, Unavailable
from bundlesvc.platforms.shopify.outcomes import Refused, Transient
from bundlesvc.ports import Clock

THRESHOLD = 5
"""So many failures in a row open the circuit; a refusal opens it at once, for as long as its error says."""
COOL_DOWN = 5.0
"""Seconds until one call may probe: a platform that is back is used again well within ten."""


class Circuit:
    """Closed: calls pass. Open: they fail at once. Half open, after the cool-down: one passes and decides."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._open_until: float | None = None
        self._reason: Unavailable = PlatformUnavailable()
        self._probing = False

    @property
    def closed(self) -> bool:
        return self._open_until is None

    def check(self) -> None:
        """Raises while no call may pass: PlatformUnavailable after failures, after a refusal what that came to; with the
        seconds until one may probe."""
        if self._open_until is None:
            return
        wait = self._open_until - self._clock.monotonic()
        if wait > 0 or self._probing:
            raise type(self._reason)(str(self._reason), retry_after=max(1, ceil(wait)))

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Around one call: a Transient counts as a failure, Refused opens, any other end is an answer. One that is cancelled
        says nothing."""
        self.check()
        probe = self._probing = not self.closed
        try:
            yield
        except Transient:
            self._failed(probe=probe)
            raise
        except Refused as refusal:
            self._open(refusal.error.retry_after, refusal.error)
            raise
        except Exception:
            self._answered()
            raise
        else:
            self._answered()
        finally:
            if probe:
                self._probing = False

    def _failed(self, *, probe: bool) -> None:
        self._failures += 1
        if probe or self._failures >= THRESHOLD:
            self._open(COOL_DOWN, PlatformUnavailable())

    def _open(self, seconds: float, reason: Unavailable) -> None:
        self._open_until = self._clock.monotonic() + seconds
        self._reason = reason

    def _answered(self) -> None:
        self._failures = 0
        self._open_until = None
