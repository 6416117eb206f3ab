"""The time that one question may take, waiting and retries included."""

from bundlesvc.ports import Clock

KEPT_FOR_THE_ANSWER = 0.2
"""The share of the time that is not waited away: a call that is sent must have a fair chance to be answered."""


class Deadline:
    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._end = clock.monotonic() + seconds
        self._kept = seconds * KEPT_FOR_THE_ANSWER

    @property
    def remaining(self) -> float:
        """Seconds; 0 when it is over."""
        return max(0.0, self._end - self._clock.monotonic())

    @property
    def for_waiting(self) -> float:
        """Seconds that may pass before a call is sent."""
        return max(0.0, self.remaining - self._kept)
