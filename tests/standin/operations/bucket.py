"""The platform's token buckets, one per access token. They refill at a constant rate, up to their size."""

from dataclasses import dataclass, field

from bundlesvc.ports import Clock


@dataclass
class Bucket:
    """A bucket of up to `size` points, refilled at `restore_rate` points per second."""

    clock: Clock
    size: float
    restore_rate: float
    _level: float = field(init=False)
    _seen: float = field(init=False)

    def __post_init__(self) -> None:
        self._level, self._seen = self.size, self.clock.monotonic()

    @property
    def available(self) -> float:
        now = self.clock.monotonic()
        self._level = min(self.size, self._level + (now - self._seen) * self.restore_rate)
        self._seen = now
        return self._level

    def take(self, points: int) -> bool:
        """Take points if enough are available. Returns whether they were taken."""
        if self.available < points:
            return False
        self._level -= points
        return True

    def give_back(self, points: int) -> None:
        self._level = min(self.size, self.available + points)

    def drain(self) -> None:
        """Take all points, as other callers with this token would."""
        self.take(int(self.available))

    def status(self) -> dict[str, float]:
        """Return the status of the bucket in the form used in responses, with the available points rounded down to a whole
        number."""
        return {
            "maximumAvailable": float(self.size),
            "currentlyAvailable": int(self.available),
            "restoreRate": float(self.restore_rate),
        }
