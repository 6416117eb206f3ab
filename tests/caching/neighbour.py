"""A process that shares a Redis server with others: `neighbour URL LEASE SLOWNESS REQUESTS PRODUCTS`.

It prints "ready", waits for a line, sends REQUESTS simultaneous requests for all products and their prices, and prints how many
succeeded. Each fetch from the platform takes SLOWNESS seconds and is counted in Redis; the start of each fetch is printed too."""

import asyncio
import sys

import uvloop

from bundlesvc.caching.entries import CacheTtls
from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.caching.read_through import ReadThrough
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.stores import FallbackStore, MemoryStore, RedisStore
from bundlesvc.redis import connection as redis_connection
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.system import SystemClock
from tests.caching.live import LivePlatform, live_tenant, product


class CountedPlatform(LivePlatform):
    """A platform that counts in Redis how many times all processes together fetch from it."""

    def __init__(self, products: int, connection: RedisConnection, slowness: float) -> None:
        super().__init__(*(product(number) for number in range(1, products + 1)))
        self._connection = connection
        self._slowness = slowness

    async def _answer(self, name: str, *arguments: object) -> None:
        await self._connection.client.incr(f"fetched:{name}")
        say("fetching")
        await asyncio.sleep(self._slowness)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def run(url: str, lease: float, slowness: float, requests: int, products: int) -> None:
    redis_connection.TIMEOUT = 60.0  # on a busy machine, Redis can be slow without being broken
    connection = RedisConnection(url)
    await connection.start()
    store = FallbackStore(RedisStore(connection), MemoryStore())
    platform = CountedPlatform(products, connection, slowness)
    cached = CachedPlatform(platform, ReadThrough(store, SystemClock(), CacheStatistics(), lease), CacheTtls())
    tenant = live_tenant()

    async def read() -> int:
        found = (await cached.products(tenant, range(1, products + 1))).value
        variants = [variant for each in found.values() for variant in each.variants]
        return len((await cached.market_prices(tenant, variants, "US")).value)

    say("ready")
    sys.stdin.readline()
    answered = await asyncio.gather(*(read() for _ in range(requests)))
    assert connection.failures == 0
    say(f"answered {answered.count(products * 3)}")
    await cached.aclose()
    await connection.aclose()


if __name__ == "__main__":
    _, url, lease, slowness, requests, products = sys.argv
    uvloop.run(run(url, float(lease), float(slowness), int(requests), int(products)))
