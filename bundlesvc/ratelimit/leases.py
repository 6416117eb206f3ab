"""Tokens that a process leases from shared buckets, so that it need not call Redis for each request
(docs/decisions/0036-leases.md)."""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from bundlesvc.domain.rate_limit import Bucket, BucketState, bucket_state
from bundlesvc.ports import Clock
from bundlesvc.ratelimit.memory import MAX_BUCKETS, MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets

LEASE_SECONDS = 0.25
"""Seconds for which a process may spend the tokens of a lease. Then the process returns the tokens that are left."""

MARGIN = 1.5
"""The size of a lease, relative to the tokens that the process spent in the previous period of the same length."""

LARGEST_SHARE = 10
"""A lease contains at most the bucket's capacity divided by this number."""

IDLE_SECONDS = 2.0
"""Seconds without a request after which a bucket is forgotten."""


@dataclass(slots=True, eq=False)
class _Lease:
    """The tokens of one bucket that a process holds, and how fast it spends them. Times are those of the process's own monotonic
    clock."""

    bucket: Bucket
    counted_since: float
    tokens: int = 0
    size: int = 0
    until: float = 0.0
    left: float = 0.0
    left_at: float = 0.0
    spent: int = 0
    rate: float = 0.0
    last_use: float = 0.0
    renewing: bool = False

    def spend(self, now: float) -> BucketState:
        """Spend a token. Returns the state of the bucket: the tokens left in this process plus those last seen in Redis, with the
        refill since then."""
        self.tokens -= 1
        self.note_use(now)
        _, _, capacity, period = self.bucket
        left = self.left + (now - self.left_at) * capacity / period + self.tokens
        return bucket_state(self.bucket, left if left < capacity else float(capacity), allowed=True)

    def note_use(self, now: float) -> None:
        self.spent += 1
        self.last_use = now

    def is_low(self, now: float) -> bool:
        """Whether less than half of the lease's tokens or of its duration is left, so that a new lease should be requested."""
        return 2 * self.tokens < self.size or self.until - now < LEASE_SECONDS / 2

    def wanted(self, now: float) -> int:
        """Return the number of tokens to lease; 0 for a caller with so few requests that each can go to Redis."""
        elapsed = now - self.counted_since
        if elapsed >= LEASE_SECONDS:
            self.rate, self.spent, self.counted_since = self.spent / elapsed, 0, now
        rate = max(self.rate, self.spent / LEASE_SECONDS)
        wanted = min(ceil(rate * LEASE_SECONDS * MARGIN), self.bucket.capacity // LARGEST_SHARE) - self.tokens
        return wanted if wanted > 1 else 0


class LeasedBuckets:
    """Implements the `Buckets` port in Redis for heavily used buckets. Spending a leased token needs no round trip."""

    def __init__(self, shared: RedisBuckets, own: MemoryBuckets, clock: Clock) -> None:
        self._shared = shared
        self._own = own
        self._clock = clock
        self._leases: dict[str, _Lease] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweep: asyncio.TimerHandle | None = None

    async def take(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        states = self._spend(buckets)
        if states is not None:
            return states
        if not self._shared.up:
            return await self._own.take(buckets)
        states = await self._shared.take(buckets)
        now = self._clock.monotonic()
        used = [self._used(bucket, now) for bucket in buckets]
        if all(lease.wanted(now) for lease in used):  # a request needs a token from each bucket
            self._renew(used)
        return states

    def _spend(self, buckets: Sequence[Bucket]) -> Sequence[BucketState] | None:
        """Spend one leased token from each bucket. Returns None when a bucket has no usable lease."""
        now = self._clock.monotonic()
        leases = []
        for bucket in buckets:
            lease = self._leases.get(bucket.name)
            if lease is None or lease.tokens < 1 or now >= lease.until or lease.bucket != bucket:
                return None
            leases.append(lease)
        states = [lease.spend(now) for lease in leases]
        if any(lease.is_low(now) for lease in leases):
            self._renew(leases)
        return states

    async def give_back(self, buckets: Sequence[Bucket]) -> None:
        await self._shared.give_back(buckets)

    async def aclose(self) -> None:
        """Return every lease."""
        if self._sweep is not None:
            self._sweep.cancel()
        for lease in self._leases.values():
            self._return(lease)
        self._leases.clear()
        await asyncio.gather(*self._tasks)

    def _used(self, bucket: Bucket, now: float) -> _Lease:
        """Record that a request has taken tokens from this bucket in Redis, and return the bucket's lease."""
        lease = self._leases.get(bucket.name)
        if lease is not None and lease.bucket != bucket:  # the capacity has changed
            self._return(lease)
            lease = None
        if lease is None:
            lease = _Lease(bucket, now)
            if len(self._leases) < MAX_BUCKETS:
                self._leases[bucket.name] = lease
                self._sweep_later()
        lease.note_use(now)
        return lease

    def _renew(self, leases: Sequence[_Lease]) -> None:
        for lease in leases:
            if not lease.renewing and lease.bucket.name in self._leases:
                lease.renewing = True
                self._start(self._lease(lease))

    async def _lease(self, lease: _Lease) -> None:
        """Renew a lease. The duration is counted from the time at which the request is sent, so that the lease never lasts longer
        here than in Redis."""
        try:
            began = self._clock.monotonic()
            wanted = lease.wanted(began)
            leased = await self._shared.lease(lease.bucket, wanted) if wanted else None
            if leased is not None:
                tokens, lease.left = leased
                lease.left_at = self._clock.monotonic()
                if tokens:
                    lease.tokens += tokens
                    lease.size, lease.until = lease.tokens, began + LEASE_SECONDS
        finally:
            lease.renewing = False

    def _return(self, lease: _Lease) -> None:
        """Give the unused tokens of a lease back to the shared bucket."""
        tokens, lease.tokens = lease.tokens, 0
        if tokens:
            self._start(self._shared.return_lease(lease.bucket, tokens))

    def _sweep_later(self) -> None:
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(LEASE_SECONDS, self.return_unused)

    def return_unused(self) -> None:
        """Return the unused tokens of expired leases, and forget buckets that have not been used recently. Called by a timer."""
        self._sweep = None
        now = self._clock.monotonic()
        for name, lease in list(self._leases.items()):
            if now >= lease.until:
                self._return(lease)
                if now - lease.last_use >= IDLE_SECONDS and not lease.renewing:
                    del self._leases[name]
        if self._leases:
            self._sweep_later()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work, name="leases of buckets")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
