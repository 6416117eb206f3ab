"""Token buckets within one process."""

from collections import OrderedDict, defaultdict
from collections.abc import Sequence

from bundlesvc.domain.rate_limit import Bucket, BucketState, bucket_state
from bundlesvc.ports import Clock

MAX_BUCKETS = 50_000
"""The maximum number of buckets of one kind. Above it, the least recently used bucket is dropped, and its owner starts with a
full bucket next time."""

MAX_DROPPED = 2
"""The maximum number of buckets dropped when one is added. This is more than one, so that a table can shrink, but the cost is
constant."""


class MemoryBuckets:
    """Implements the `RequestBuckets` port in memory. Each kind of bucket has a separate table, in the order of last use, so that
    a flood of addresses does not evict the buckets of keys. Buckets are dropped by age as well as by number, unlike in
    `LruMapping`."""

    def __init__(self, clock: Clock, max_buckets: int = MAX_BUCKETS) -> None:
        self._monotonic = clock.monotonic
        self._max_buckets = max_buckets
        self._tables: defaultdict[str, OrderedDict[str, tuple[float, float]]] = defaultdict(OrderedDict)

    async def take(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        now = self._monotonic()
        if len(buckets) == 1:  # the case for most keys, handled in one step without further calls
            kind, name, capacity, period = bucket = buckets[0]
            table = self._tables[kind]
            stored = table.get(name)
            if stored is not None:
                tokens = stored[0] + (now - stored[1]) * capacity / period
                tokens = tokens - 1 if tokens < capacity else capacity - 1.0
                if tokens >= 0:
                    table[name] = (tokens, now)
                    table.move_to_end(name)
                    return [bucket_state(bucket, tokens, allowed=True)]
        counted = [(bucket, self._tokens(bucket, now)) for bucket in buckets]
        for _, tokens in counted:
            if tokens < 1:
                return [self._refuse(bucket, tokens, now) for bucket, tokens in counted]
        return [self._spend(bucket, tokens, now) for bucket, tokens in counted]

    async def give_back(self, buckets: Sequence[Bucket]) -> None:
        now = self._monotonic()
        for bucket in buckets:
            self._store(bucket, min(float(bucket.capacity), self._tokens(bucket, now) + 1), now)

    async def aclose(self) -> None:
        """Do nothing: the process holds no tokens outside its buckets."""

    def _spend(self, bucket: Bucket, tokens: float, now: float) -> BucketState:
        self._store(bucket, tokens - 1, now)
        return bucket_state(bucket, tokens - 1, allowed=True)

    def _refuse(self, bucket: Bucket, tokens: float, now: float) -> BucketState:
        """Refuse a request without taking tokens from this bucket. Full buckets are not stored, so refused requests need no
        memory."""
        if bucket.name in self._tables[bucket.kind]:
            self._store(bucket, tokens, now)
        return bucket_state(bucket, tokens, allowed=tokens >= 1)

    def _tokens(self, bucket: Bucket, now: float) -> float:
        kind, name, capacity, period = bucket
        stored = self._tables[kind].get(name)
        if stored is None:
            return float(capacity)
        tokens, counted = stored
        tokens += (now - counted) * capacity / period
        return tokens if tokens < capacity else float(capacity)

    def _store(self, bucket: Bucket, tokens: float, now: float) -> None:
        kind, name, _, period = bucket
        table = self._tables[kind]
        is_new = name not in table
        table[name] = (tokens, now)
        if is_new:
            self._drop_oldest(table, now - period)
        else:
            table.move_to_end(name)

    def _drop_oldest(self, table: OrderedDict[str, tuple[float, float]], full_since: float) -> None:
        """Drop the oldest buckets: those unused for a whole period, which are full again and so equivalent to no bucket, and any
        above the maximum number."""
        for _ in range(MAX_DROPPED):
            _, oldest = next(iter(table.values()))
            if oldest > full_since and len(table) <= self._max_buckets:
                break
            table.popitem(last=False)
