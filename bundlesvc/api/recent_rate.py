"""How fast bytes have come lately: a client that sent much at first and then stops is slow at once."""

from collections import deque

WINDOW_SECONDS = 2.0
_SLOT_SECONDS = 0.25
"""Bytes of so short a time are counted together, so that few numbers are stored of a body in many parts."""


class RecentRate:
    """The bytes of the last `WINDOW_SECONDS`. Times in seconds, on any clock that does not go back."""

    __slots__ = ("_slots", "begun")

    def __init__(self, now: float) -> None:
        self.begun = now
        self._slots: deque[tuple[float, int]] = deque()

    def add(self, size: int, now: float) -> None:
        """Note that this many bytes have come."""
        if self._slots and now - self._slots[-1][0] < _SLOT_SECONDS:
            begun, counted = self._slots.pop()
            self._slots.append((begun, counted + size))
        else:
            self._slots.append((now, size))
        self._forget(now)

    def of(self, now: float) -> float:
        """Bytes a second."""
        self._forget(now)
        return sum(size for _, size in self._slots) / WINDOW_SECONDS

    def is_known(self, now: float) -> bool:
        """Whether it has been counted for long enough."""
        return now - self.begun >= WINDOW_SECONDS

    def _forget(self, now: float) -> None:
        while self._slots and now - self._slots[0][0] > WINDOW_SECONDS:
            self._slots.popleft()
