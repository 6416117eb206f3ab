"""A circuit breaker for one shop: after repeated failures, or a single refusal, no calls are sent for a while; then one trial
call is sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from bundlesvc.domain.errors import PlatformUnavailable, Unavailable
from bundlesvc.platforms.calls.call_errors import Refused, Transient
from bundlesvc.platforms.calls.notices import Notices
from bundlesvc.ports import Clock

THRESHOLD = 5
"""The number of consecutive failures that open the circuit. A call that hangs opens it immediately. So does a refusal, which
opens it for the `retry_after` of its error."""
COOL_DOWN = 5.0
"""Seconds until one trial call is allowed."""

STATES = CLOSED, OPEN, HALF_OPEN = "closed", "open", "half_open"


class CircuitBreaker:
    """The circuit breaker of one shop. Closed: calls pass. Open: calls fail immediately. Half open, after the cool-down: one
    trial call passes, and its outcome closes or reopens the circuit."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._pause: tuple[float, Unavailable] | None = None
        """While the circuit is open: when the pause ends, and the error that began it."""
        self._probing = False

    @property
    def closed(self) -> bool:
        return self._pause is None

    @property
    def state(self) -> str:
        """The state of the circuit breaker, one of `STATES`."""
        if self._pause is None:
            return CLOSED
        return OPEN if self._clock.monotonic() < self._pause[0] else HALF_OPEN

    def check(self) -> None:
        """Raise an error while no call may pass: PlatformUnavailable after failures, and the original error after a refusal. The
        error's `retry_after` is the number of seconds until the trial call."""
        if self._pause is None:
            return
        ends_at, reason = self._pause
        wait = ends_at - self._clock.monotonic()
        if wait > 0 or self._probing:
            raise type(reason)(str(reason), retry_after=max(1, ceil(wait)))

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Guard one call, as a context manager. Transient counts as a failure and Refused opens the circuit; any other outcome
        counts as a response. A cancelled call does not count."""
        self.check()
        probe = self._probing = not self.closed
        try:
            yield
        except Transient as failure:
            self._failed(at_once=probe or failure.hung)
            raise
        except Refused as refusal:
            self._open(refusal.error.retry_after, refusal.error)
            raise
        except Exception:
            self._responded()
            raise
        else:
            self._responded()
        finally:
            if probe:
                self._probing = False

    def _failed(self, *, at_once: bool) -> None:
        self._failures += 1
        if at_once or self._failures >= THRESHOLD:
            self._open(COOL_DOWN, PlatformUnavailable())

    def _open(self, seconds: float, reason: Unavailable) -> None:
        self._pause = (self._clock.monotonic() + seconds, reason)

    def _responded(self) -> None:
        self._failures = 0
        self._pause = None


@contextmanager
def reporting(circuit: CircuitBreaker, notices: Notices) -> Iterator[None]:
    """Log why calls are paused, and when the shop responds again. A context manager that wraps the `attempt` of one call."""
    try:
        yield
    except Transient as fault:
        if not circuit.closed:
            notices.trouble("the platform fails: calls paused for %g s (%s)", COOL_DOWN, fault)
        raise
    notices.well()
