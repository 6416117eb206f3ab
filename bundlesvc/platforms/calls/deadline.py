"""The deadline of a session with a shop, and the time that remains before it."""

from collections.abc import Awaitable, Callable

from bundlesvc.domain.errors import PlatformTimeout
from bundlesvc.ports import Clock

Sleep = Callable[[float], Awaitable[None]]

RESERVED_FOR_THE_CALL = 0.2
"""The share of a session's time that must remain when a call is sent, so that there is time for its response."""


class Deadline:
    """The time that one session with a shop may take, including waits and retries. All calls must be sent by `send_by` (seconds
    of the monotonic clock) and answered by `ends_at`."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self.seconds = seconds
        self.ends_at = clock.monotonic() + seconds
        self.send_by = self.ends_at - seconds * RESERVED_FOR_THE_CALL

    def remaining(self) -> float:
        """Return the seconds within which a call sent now must be answered. Raises PlatformTimeout when no time is left."""
        seconds = self.ends_at - self._clock.monotonic()
        if seconds <= 0:
            raise PlatformTimeout
        return seconds
