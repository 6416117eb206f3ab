"""Token buckets that processes share through Redis."""

from collections.abc import Sequence

from bundlesvc.domain.rate_limit import Bucket, BucketState, bucket_state
from bundlesvc.ports import Buckets
from bundlesvc.redis_connection import PREFIX, RedisConnection, RedisUnavailable

# One script, so that no two processes count the same tokens, and Redis' clock, so that differences between theirs do not
# matter. Takes ARGV[1] tokens of every bucket in KEYS, or of none; the next arguments are the capacity and the period
# (microseconds) of each. A bucket is "<tokens> <when they were counted, in microseconds>". It expires when it would be full
# again: a full bucket and a missing one are the same. A value that is not a bucket counts as missing, and is replaced.
_SPEND = """
local cost, allowed = tonumber(ARGV[1]), 1
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local left = {}
for number, key in ipairs(KEYS) do
  local capacity, period = tonumber(ARGV[2 * number]), tonumber(ARGV[2 * number + 1])
  local tokens, counted = capacity, now
  local stored = redis.pcall('GET', key)
  if type(stored) == 'string' then
    local stored_tokens, stored_counted = string.match(stored, '^(%d[%d.e-]*) (%d+)$')
    tokens = tonumber(stored_tokens) or tokens
    counted = tonumber(stored_counted) or counted
  end
  tokens = math.min(capacity, tokens + math.max(0, now - counted) * capacity / period)
  if tokens < cost then allowed = 0 end
  left[number] = tokens
end
local result = {allowed}
for number, key in ipairs(KEYS) do
  local capacity, period = tonumber(ARGV[2 * number]), tonumber(ARGV[2 * number + 1])
  if allowed == 1 then
    left[number] = math.min(capacity, left[number] - cost)
    local bucket = string.format('%.17g %.0f', left[number], now)
    redis.call('SET', key, bucket, 'PX', string.format('%.0f', period / 1000))
  end
  result[number + 1] = string.format('%.17g', left[number])
end
return result
"""


class RedisBuckets:
    """The port `Buckets` in Redis. While Redis is unavailable, each process counts for itself in `own`."""

    def __init__(self, connection: RedisConnection, own: Buckets) -> None:
        self._connection = connection
        self._own = own
        self._script = connection.client.register_script(_SPEND)

    async def take(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        try:
            return await self._spend(buckets, 1)
        except RedisUnavailable:
            return await self._own.take(buckets)

    async def give_back(self, buckets: Sequence[Bucket]) -> None:
        try:
            await self._spend(buckets, -1)
        except RedisUnavailable:
            await self._own.give_back(buckets)

    async def _spend(self, buckets: Sequence[Bucket], cost: int) -> Sequence[BucketState]:
        """Raises RedisUnavailable."""
        keys = [f"{PREFIX}bucket:{bucket.name}" for bucket in buckets]
        sizes = [number for bucket in buckets for number in (bucket.capacity, int(bucket.period * 1_000_000))]
        taken, *left = await self._connection.run(lambda: self._script(keys=keys, args=[cost, *sizes]))
        return [
            bucket_state(bucket, float(tokens), allowed=bool(taken) or float(tokens) >= 1)
            for bucket, tokens in zip(buckets, left, strict=True)
        ]
