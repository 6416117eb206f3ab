"""The time that one session with a shop may take, waiting and retries included."""

from bundlesvc.ports import Clock

RESERVED_FOR_THE_CALL = 0.2
"""The share of the time that may not be spent waiting, so that a call that is sent still has time to be answered."""


class Deadline:
    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._end = clock.monotonic() + seconds
        self._reserved = seconds * RESERVED_FOR_THE_CALL

    @property
    def remaining(self) -> float:
        """Seconds until the deadline; 0 once it has passed."""
        return max(0.0, self._end - self._clock.monotonic())

    @property
    def for_waiting(self) -> float:
        """Seconds that may pass before a call is sent."""
        return max(0.0, self.remaining - self._reserved)
