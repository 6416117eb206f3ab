"""The connection to Redis that rate limits and the cache share. It never fails a request, and hardly delays one: after a
failure no command is sent until Redis responds again, which a background task checks."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from bundlesvc.redis_names import PREFIX, RedisUnavailable

logger = logging.getLogger(__name__)

T = TypeVar("T")

TIMEOUT = 0.5
"""Seconds that a command may take, connecting included: the longest delay that a hung Redis causes a request."""

RETRY_SECONDS, MAX_RETRY_SECONDS = 1.0, 8.0
"""A lost Redis is tried every second; one that fails again soon after its return, after pauses that double."""

STEADY_SECONDS = 60.0
"""A failure within this time after its return doubles the pause."""

MAX_CONNECTIONS = 50

_FAILURES = (RedisError, OSError, TimeoutError)


class RedisConnection:
    """A client of the Redis at a URL: `redis://` or `rediss://`, with user name, password and database number. No I/O before
    the first command. Raises ValueError for a URL that does not name a Redis."""

    def __init__(self, url: str) -> None:
        options = _options(url)
        self.address = f"{options.get('host', 'localhost')}:{options.get('port', 6379)}"
        self.client: Redis = Redis.from_pool(BlockingConnectionPool(**options))
        self.failures = 0
        self._watch: asyncio.Task[None] | None = None
        self._pause = RETRY_SECONDS
        self._back_at = float("-inf")

    @property
    def up(self) -> bool:
        """Whether the last command succeeded."""
        return self._watch is None

    async def start(self) -> None:
        """Try the connection, so that a wrong address is logged at the start; the service starts without Redis too."""
        with suppress(RedisUnavailable):
            await self.run(self._probe)

    async def run(self, command: Callable[[], Awaitable[T]]) -> T:
        """The response to a command. Raises RedisUnavailable: at once while Redis is known to fail, within half a second for
        the first failure."""
        if self._watch is not None:
            raise RedisUnavailable
        try:
            async with asyncio.timeout(TIMEOUT):
                return await command()
        except _FAILURES as error:
            self._lose(error)
            raise RedisUnavailable from error

    async def aclose(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self.client.aclose()

    def collect(self) -> Iterator[Metric]:
        """Its metrics, for prometheus_client."""
        failures = CounterMetricFamily("bundlesvc_redis_failures", "Commands to Redis that failed.")
        failures.add_metric([], self.failures)
        yield failures
        yield GaugeMetricFamily("bundlesvc_redis_up", "Whether Redis responds.", value=int(self.up))

    def _lose(self, error: Exception) -> None:
        self.failures += 1
        if self._watch is not None:  # another command failed first
            return
        logger.warning(
            "Redis at %s cannot be used (%s): rate limits and the cache are local to this process until it can.",
            self.address,
            str(error) or f"no response within {TIMEOUT} seconds",
        )
        relapse = asyncio.get_running_loop().time() - self._back_at < STEADY_SECONDS
        self._pause = min(MAX_RETRY_SECONDS, self._pause * 2) if relapse else RETRY_SECONDS
        self._watch = asyncio.create_task(self._watch_for_return(), name="waiting for Redis")

    async def _watch_for_return(self) -> None:
        while True:
            await asyncio.sleep(self._pause)
            try:
                async with asyncio.timeout(TIMEOUT):
                    await self._probe()
                break
            except _FAILURES:
                self.failures += 1
        self._back_at = asyncio.get_running_loop().time()
        self._watch = None
        logger.info("Redis at %s can be used again.", self.address)

    async def _probe(self) -> None:
        """Write something: a Redis that is full, or a read-only replica, cannot be used either."""
        await self.client.set(f"{PREFIX}probe", "1", px=1000)


def _options(url: str) -> dict[str, Any]:
    """The options of a connection. One that the server closed while it was idle is opened once more at once; nothing else is
    retried, because callers can continue without Redis."""
    options: dict[str, Any] = {
        **parse_url(url),
        "max_connections": MAX_CONNECTIONS,
        # The timeout of `run` is the only one; the client's own would interfere with it.
        "timeout": None,
        "socket_timeout": None,
        "socket_connect_timeout": None,
        "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        "protocol": 2,  # every Redis understands it, and each connection needs one command less
    }
    try:
        BlockingConnectionPool(**options).make_connection()  # type: ignore[no-untyped-call]
    except (TypeError, RedisError) as error:
        raise ValueError("REDIS_URL has an option that Redis' client does not know.") from error
    return options
