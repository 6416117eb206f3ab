"""Token buckets that processes share through Redis."""

from bundlesvc.ports import Buckets, BucketState
from bundlesvc.ratelimit.bucket import state
from bundlesvc.redis_connection import PREFIX, RedisAway, RedisConnection

# One step for Redis, so that no two processes ever count the same tokens, and by Redis' own clock, so that theirs do not
# matter. A bucket is "<tokens> <when they were counted, in microseconds>". It expires when it would be full again anyway: a
# full bucket and none at all are the same. What is no bucket counts as none, and is replaced.
_SPEND = """
local capacity, cost = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local tokens, counted = capacity, now
local kept = redis.pcall('GET', KEYS[1])
if type(kept) == 'string' then
  local kept_tokens, kept_counted = string.match(kept, '^(%d[%d.e-]*) (%d+)$')
  tokens = tonumber(kept_tokens) or tokens
  counted = tonumber(kept_counted) or counted
end
tokens = math.min(capacity, tokens + math.max(0, now - counted) * capacity / 60000000)
local allowed = 0
if tokens >= cost then
  allowed = 1
  tokens = math.min(capacity, tokens - cost)
  redis.call('SET', KEYS[1], string.format('%.17g %.0f', tokens, now), 'PX', 60000)
end
return {allowed, string.format('%.17g', tokens)}
"""


class RedisBuckets:
    """The port `Buckets` in Redis. While Redis is away, each process counts for itself in `own`."""

    def __init__(self, connection: RedisConnection, own: Buckets) -> None:
        self._connection = connection
        self._own = own
        self._script = connection.client.register_script(_SPEND)

    async def take(self, name: str, capacity: int) -> BucketState:
        try:
            return await self._spend(name, capacity, 1)
        except RedisAway:
            return await self._own.take(name, capacity)

    async def give_back(self, name: str, capacity: int) -> None:
        try:
            await self._spend(name, capacity, -1)
        except RedisAway:
            await self._own.give_back(name, capacity)

    async def _spend(self, name: str, capacity: int, cost: int) -> BucketState:
        """Raises RedisAway."""
        key = f"{PREFIX}bucket:{name}"
        allowed, tokens = await self._connection.ask(lambda: self._script(keys=[key], args=[capacity, cost]))
        return state(capacity, float(tokens), allowed=bool(allowed))
