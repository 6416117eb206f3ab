"""Buckets in a real Redis."""

from collections.abc import AsyncIterator

import pytest

from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.ratelimit.redis import RedisBuckets
from bundlesvc.redis_connection import RedisConnection
from tests.fakes import FakeClock
from tests.redis_server import RedisServer


@pytest.fixture
async def connection(redis: RedisServer, long_redis_timeout: None) -> AsyncIterator[RedisConnection]:
    connection = RedisConnection(redis.url)
    yield connection
    await connection.aclose()


@pytest.fixture
def buckets(connection: RedisConnection) -> RedisBuckets:
    return RedisBuckets(connection, MemoryBuckets(FakeClock()))
