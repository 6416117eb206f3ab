"""The platform's token buckets, one for each access token: refilled evenly, never above their size."""

from dataclasses import dataclass, field

from bundlesvc.ports import Clock


@dataclass
class Bucket:
    """Up to `size` points, refilled at `restore_rate` points a second."""

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
        """Take points if there are enough. Returns whether there were."""
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
        """The status as in responses; points are whole numbers."""
        return {
            "maximumAvailable": float(self.size),
            "currentlyAvailable": int(self.available),
            "restoreRate": float(self.restore_rate),
        }
