"""Token buckets of one process."""

from bundlesvc.ports import BucketState, Clock
from bundlesvc.ratelimit.bucket import MINUTE, state

MAX_BUCKETS = 50_000
"""Beyond so many, buckets that are full again are forgotten: a full bucket and none at all are the same."""


class MemoryBuckets:
    """The port `Buckets` in memory: each bucket is its tokens and when they were counted."""

    def __init__(self, clock: Clock, max_buckets: int = MAX_BUCKETS) -> None:
        self._clock = clock
        self._max_buckets = max_buckets
        self._buckets: dict[str, tuple[float, float]] = {}

    async def take(self, name: str, capacity: int) -> BucketState:
        now = self._clock.monotonic()
        tokens = self._tokens(name, capacity, now)
        allowed = tokens >= 1
        if allowed:
            tokens -= 1
        self._store(name, tokens, now)
        return state(capacity, tokens, allowed=allowed)

    async def give_back(self, name: str, capacity: int) -> None:
        now = self._clock.monotonic()
        self._store(name, min(float(capacity), self._tokens(name, capacity, now) + 1), now)

    def _tokens(self, name: str, capacity: int, now: float) -> float:
        tokens, counted = self._buckets.get(name, (float(capacity), now))
        return min(float(capacity), tokens + (now - counted) * capacity / MINUTE)

    def _store(self, name: str, tokens: float, now: float) -> None:
        if len(self._buckets) >= self._max_buckets and name not in self._buckets:
            self._forget_full(now)
        self._buckets[name] = (tokens, now)

    def _forget_full(self, now: float) -> None:
        """Any bucket is full after a minute of rest; when none rests, the one counted longest ago goes."""
        rested = [name for name, (_, counted) in self._buckets.items() if now - counted >= MINUTE]
        for name in rested or [min(self._buckets, key=lambda name: self._buckets[name][1])]:
            del self._buckets[name]
