"""Token buckets in memory and in Redis, with a clock that the test sets. The same rules apply to both kinds."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from fakeredis import FakeAsyncRedis
from fakeredis.commands_mixins import server_mixin

from bundlesvc.ports import Buckets
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from bundlesvc.redis.connection import RedisConnection
from tests.fakes import FakeClock

T = TypeVar("T")

MakeBuckets = Callable[[FakeClock], Buckets]


class ServerTime:
    """Replaces the `time` module in the fake Redis, so that a test can set the server's clock."""

    def __init__(self) -> None:
        self.clock = FakeClock()

    def time(self) -> float:
        return self.clock.now()


class PretendedRedis(RedisConnection):
    """An in-process Redis that runs the real scripts and whose clock can be set. It has no timeout, because after a timeout the
    buckets would count locally, with a clock that stands still."""

    def __init__(self) -> None:
        super().__init__("redis://pretended")
        self.client = FakeAsyncRedis()

    async def run(self, command: Callable[[], Awaitable[T]]) -> T:
        return await command()


def in_memory(clock: FakeClock) -> Buckets:
    return MemoryBuckets(clock)


def in_redis(clock: FakeClock) -> Buckets:
    time = getattr(server_mixin, "time")  # noqa: B009  (not a public name of the module)
    assert isinstance(time, ServerTime)
    time.clock = clock
    return RedisBuckets(PretendedRedis(), MemoryBuckets(FakeClock()))


BOTH: list[MakeBuckets] = [in_memory, in_redis]
