"""A process that takes tokens from one bucket in Redis as fast as possible: `hammer URL NAME CAPACITY TIMES exact|leased`. It
prints "ready", waits for a line of input, and prints how many requests were allowed."""

import asyncio
import sys

import uvloop

from bundlesvc.domain.rate_limit import Bucket
from bundlesvc.ratelimit.leases import LeasedBuckets
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from bundlesvc.redis import connection as redis_connection
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.system import SystemClock

AT_ONCE = 20


async def hammer(url: str, name: str, capacity: int, times: int, kind: str) -> int:
    redis_connection.TIMEOUT = 60.0  # on a busy machine, Redis can be slow without being broken
    connection = RedisConnection(url)
    own, bucket = MemoryBuckets(SystemClock()), Bucket("key", name, capacity)
    shared = RedisBuckets(connection, own)
    leased = LeasedBuckets(shared, own, SystemClock())
    buckets = shared if kind == "exact" else leased
    await connection.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()

    async def take() -> int:
        return sum([(await buckets.take([bucket]))[0].allowed for _ in range(times // AT_ONCE)])

    granted = sum(await asyncio.gather(*(take() for _ in range(AT_ONCE))))
    await leased.aclose()
    assert connection.failures == 0, "not every token came from Redis"
    await connection.aclose()
    return granted


if __name__ == "__main__":
    _, url, name, capacity, times, kind = sys.argv
    sys.stdout.write(str(uvloop.run(hammer(url, name, int(capacity), int(times), kind))))
