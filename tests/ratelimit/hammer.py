"""A process that takes from one bucket in Redis as fast as it can: `hammer URL NAME CAPACITY TIMES`. It prints "ready",
waits for a line, and prints how many requests were allowed."""

import asyncio
import sys

import uvloop

from bundlesvc.domain.rate_limit import Bucket
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from bundlesvc.redis import connection as redis_connection
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.system import SystemClock

AT_ONCE = 20


async def hammer(url: str, name: str, capacity: int, times: int) -> int:
    redis_connection.TIMEOUT = 60.0  # on a busy machine, a slow Redis is not broken
    connection = RedisConnection(url)
    buckets, bucket = RedisBuckets(connection, MemoryBuckets(SystemClock())), Bucket("key", name, capacity)
    await connection.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()

    async def take() -> int:
        return sum([(await buckets.take([bucket]))[0].allowed for _ in range(times // AT_ONCE)])

    granted = sum(await asyncio.gather(*(take() for _ in range(AT_ONCE))))
    assert connection.failures == 0, "not every token came from Redis"
    await connection.aclose()
    return granted


if __name__ == "__main__":
    _, url, name, capacity, times = sys.argv
    sys.stdout.write(str(uvloop.run(hammer(url, name, int(capacity), int(times)))))
