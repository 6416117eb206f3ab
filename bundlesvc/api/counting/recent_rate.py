"""Measures how fast bytes arrive, over the last few seconds only, so that a client that stops after a fast start soon counts as
slow."""

from collections import deque

WINDOW_SECONDS = 2.0
_SLOT_SECONDS = 0.25
"""Length of the intervals, in seconds, whose bytes are counted together, so that a body in many chunks needs few counters."""


class RecentRate:
    """Counts the bytes that arrived in the last `WINDOW_SECONDS`. Times are in seconds, from any monotonic clock."""

    __slots__ = ("_slots", "begun")

    def __init__(self, now: float) -> None:
        self.begun = now
        self._slots: deque[tuple[float, int]] = deque()

    def add(self, size: int, now: float) -> None:
        """Count `size` bytes that have arrived by `now`."""
        if self._slots and now - self._slots[-1][0] < _SLOT_SECONDS:
            begun, counted = self._slots.pop()
            self._slots.append((begun, counted + size))
        else:
            self._slots.append((now, size))
        self._forget(now)

    def of(self, now: float) -> float:
        """Return the current rate in bytes per second."""
        self._forget(now)
        return sum(size for _, size in self._slots) / WINDOW_SECONDS

    def is_known(self, now: float) -> bool:
        """Whether bytes have been counted for long enough to determine a rate."""
        return now - self.begun >= WINDOW_SECONDS

    def _forget(self, now: float) -> None:
        while self._slots and now - self._slots[0][0] > WINDOW_SECONDS:
            self._slots.popleft()
