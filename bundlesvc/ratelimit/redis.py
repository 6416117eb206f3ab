"""Token buckets that processes share through Redis."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError

from bundlesvc.batches import batches
from bundlesvc.domain.rate_limit import Bucket, BucketState, bucket_state
from bundlesvc.ports import Buckets
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.redis.names import PREFIX, RedisUnavailable

MAX_BATCH = 200
"""The maximum number of requests per call of the script, because Redis does nothing else while a script runs."""

# This is a single script, so that no two processes spend the same tokens. It uses the Redis clock, so that differences between
# the clocks of the processes do not matter. It processes requests in order. For each request, ARGV contains its cost, the number
# of tokens to lease, the number of its buckets, and the capacity and period (in microseconds) of each bucket; KEYS contains the
# buckets. The cost is taken from every bucket of a request, or from none. A lease leaves a tenth of the capacity in every bucket,
# and may therefore be smaller than requested. A bucket is stored as "<tokens> <time of the count, in microseconds>". It expires
# when it would be full again: a full bucket and a missing one are equivalent. A value that is not a bucket counts as missing, and
# is replaced.
_SPEND = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local tokens, written, result = {}, {}, {}

local function left(key, capacity, period)
  if tokens[key] then return math.min(capacity, tokens[key]) end
  local stored = redis.pcall('GET', key)
  local counted, at = capacity, now
  if type(stored) == 'string' then
    local stored_tokens, stored_at = string.match(stored, '^(%d[%d.e-]*) (%d+)$')
    counted = tonumber(stored_tokens) or counted
    at = tonumber(stored_at) or at
  end
  tokens[key] = math.min(capacity, counted + math.max(0, now - at) * capacity / period)
  return tokens[key]
end

local argument, first = 1, 1
while ARGV[argument] do
  local cost, lease, buckets = tonumber(ARGV[argument]), tonumber(ARGV[argument + 1]), tonumber(ARGV[argument + 2])
  local allowed = 1
  for number = 0, buckets - 1 do
    local capacity, period = tonumber(ARGV[argument + 3 + 2 * number]), tonumber(ARGV[argument + 4 + 2 * number])
    local has = left(KEYS[first + number], capacity, period)
    if has < cost then allowed = 0 end
    lease = math.min(lease, math.floor(has - capacity / 10))
  end
  lease = math.max(0, lease)
  if lease > 0 then cost = lease end
  table.insert(result, allowed)
  table.insert(result, lease)
  for number = 0, buckets - 1 do
    local key = KEYS[first + number]
    local capacity, period = tonumber(ARGV[argument + 3 + 2 * number]), tonumber(ARGV[argument + 4 + 2 * number])
    if allowed == 1 and cost ~= 0 then
      tokens[key] = math.min(capacity, tokens[key] - cost)
      written[key] = period
    end
    table.insert(result, string.format('%.17g', left(key, capacity, period)))
  end
  argument, first = argument + 3 + 2 * buckets, first + buckets
end

for key, period in pairs(written) do
  redis.call('SET', key, string.format('%.17g %.0f', tokens[key], now), 'PX', string.format('%.0f', period / 1000))
end
return result
"""


@dataclass(slots=True, eq=False)
class _Request:
    """Tokens that a caller takes (`cost`) or leases, and a future for the outcome. The outcome is None while Redis is
    unavailable."""

    buckets: Sequence[Bucket]
    cost: int
    lease: int
    outcome: "asyncio.Future[_Outcome | None]"


class _Outcome(NamedTuple):
    """The decision of Redis: whether every bucket could cover the cost, the tokens leased, and the tokens left in each bucket."""

    allowed: bool
    leased: int
    left: Sequence[float]


class _Call(NamedTuple):
    """The keys and arguments of one call to the Lua script."""

    keys: list[str]
    arguments: list[int]


class RedisBuckets:
    """Implements the `Buckets` port in Redis. All requests in one turn of the event loop share a round trip. While Redis is
    unavailable, each process counts separately in `own`."""

    def __init__(self, connection: RedisConnection, own: Buckets) -> None:
        self._connection = connection
        self._own = own
        self._script = connection.client.register_script(_SPEND)
        self._waiting: list[_Request] = []
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def up(self) -> bool:
        """Whether tokens currently come from Redis."""
        return self._connection.up

    async def take(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        outcome = await self._spend(buckets, cost=1)
        if outcome is None:
            return await self._own.take(buckets)
        return [
            bucket_state(bucket, tokens, allowed=outcome.allowed or tokens >= 1)
            for bucket, tokens in zip(buckets, outcome.left, strict=True)
        ]

    async def give_back(self, buckets: Sequence[Bucket]) -> None:
        if await self._spend(buckets, cost=-1) is None:
            await self._own.give_back(buckets)

    async def lease(self, bucket: Bucket, tokens: int) -> tuple[int, float] | None:
        """Lease up to this number of tokens, but none of the last tenth of the bucket. Returns the number of leased tokens and
        the number left in the bucket, or None while Redis is unavailable."""
        outcome = await self._spend([bucket], lease=tokens)
        return None if outcome is None else (outcome.leased, outcome.left[0])

    async def return_lease(self, bucket: Bucket, tokens: int) -> None:
        """Return the unused tokens of a lease. If Redis is unavailable, they are lost."""
        await self._spend([bucket], cost=-tokens)

    async def _spend(self, buckets: Sequence[Bucket], cost: int = 0, lease: int = 0) -> _Outcome | None:
        """Spend tokens in Redis. Returns None while it is unavailable."""
        if not self._connection.up:
            return None
        loop = asyncio.get_running_loop()
        request = _Request(buckets, cost, lease, loop.create_future())
        if not self._waiting:
            loop.call_soon(self._send_waiting)
        self._waiting.append(request)
        return await request.outcome

    def _send_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for batch in batches(waiting, MAX_BATCH):
            task = asyncio.create_task(self._send(batch), name="buckets in Redis")
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _send(self, batch: Sequence[_Request]) -> None:
        groups = list(_by_slot(batch))
        try:
            responses = await self._connection.run(lambda: self._run_scripts([_call(group) for group in groups]))
            for group, response in zip(groups, responses, strict=True):
                _deliver(group, iter(response))
        except RedisUnavailable:
            """The connection has logged it."""
        finally:
            for request in batch:
                if not request.outcome.done():
                    request.outcome.set_result(None)

    async def _run_scripts(self, calls: Sequence[_Call]) -> list[Any]:
        """Run the script for each call, and return the results. Calls that fail because Redis no longer has the script have had
        no effect, and are sent again."""
        responses = await self._pipeline(calls)
        for index, response in enumerate(responses):
            if isinstance(response, RedisConnectionError):  # only from a cluster: other clients retry by themselves
                responses[index] = await self._script(*calls[index], self._connection.client)
        unknown = [index for index, response in enumerate(responses) if isinstance(response, NoScriptError)]
        if unknown:
            await self._connection.client.script_load(_SPEND)
            again = await self._pipeline([calls[index] for index in unknown])
            for index, response in zip(unknown, again, strict=True):
                responses[index] = response
        for response in responses:
            if isinstance(response, Exception):
                raise response
        return responses

    async def _pipeline(self, calls: Sequence[_Call]) -> list[Any]:
        async with self._connection.client.pipeline(transaction=False) as pipeline:
            for call in calls:
                pipeline.execute_command("EVALSHA", self._script.sha, len(call.keys), *call.keys, *call.arguments)
            responses: list[Any] = await pipeline.execute(raise_on_error=False)
        return responses


def _by_slot(batch: Sequence[_Request]) -> Iterator[list[_Request]]:
    """Group the requests whose buckets a Redis Cluster stores in one slot, because a script can access only one slot."""
    groups: defaultdict[str, list[_Request]] = defaultdict(list)
    for request in batch:
        groups[request.buckets[0].name.partition("}")[0]].append(request)
    yield from groups.values()


def _call(group: Sequence[_Request]) -> _Call:
    keys = [f"{PREFIX}bucket:{bucket.name}" for request in group for bucket in request.buckets]
    arguments: list[int] = []
    for request in group:
        arguments += (request.cost, request.lease, len(request.buckets))
        for bucket in request.buckets:
            arguments += (bucket.capacity, int(bucket.period * 1_000_000))
    return _Call(keys, arguments)


def _deliver(group: Sequence[_Request], results: Iterator[Any]) -> None:
    for request in group:
        outcome = _Outcome(bool(next(results)), int(next(results)), [float(next(results)) for _ in request.buckets])
        if not request.outcome.done():
            request.outcome.set_result(outcome)
