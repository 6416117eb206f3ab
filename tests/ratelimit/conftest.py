"""Rate-limit buckets in a real Redis."""

import pytest

from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from bundlesvc.redis.connection import RedisConnection
from tests.fakes import FakeClock


@pytest.fixture
def buckets(connection: RedisConnection) -> RedisBuckets:
    return RedisBuckets(connection, MemoryBuckets(FakeClock()))
