"""The connection to Redis that rate limits and the cache share. It never fails a request, and hardly delays one: a Redis
that does not answer is asked no more until it answers again, which a task of its own finds out."""

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

logger = logging.getLogger(__name__)

T = TypeVar("T")

TIMEOUT = 0.5
"""Seconds that a question may take, connecting included: so long at most does a hung Redis delay a request."""

RETRY_SECONDS, MAX_RETRY_SECONDS = 1.0, 8.0
"""A lost Redis is tried every second; one that was lost again soon after it came back, after pauses that double."""

STEADY_SECONDS = 60.0
"""So long after its return a Redis counts as back for good."""

MAX_CONNECTIONS = 50
PREFIX = "bundlesvc:"
"""How all our keys begin."""

_FAILURES = (RedisError, OSError, TimeoutError)


class RedisAway(Exception):
    """Redis cannot be used now; whoever asked does without it."""


class RedisConnection:
    """A client of the Redis at a URL: `redis://` or `rediss://`, with user name, password and database number. No I/O before
    the first question. Raises ValueError for a URL that names no Redis."""

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
        """Whether Redis answered when it was last asked."""
        return self._watch is None

    async def start(self) -> None:
        """Try the connection, so that a wrong address is told at the start; the service starts without Redis too."""
        with suppress(RedisAway):
            await self.ask(self._probe)

    async def ask(self, question: Callable[[], Awaitable[T]]) -> T:
        """What Redis answers. Raises RedisAway: at once while Redis is known not to answer, within half a second when that is
        only just found out."""
        if self._watch is not None:
            raise RedisAway
        try:
            async with asyncio.timeout(TIMEOUT):
                return await question()
        except _FAILURES as error:
            self._lose(error)
            raise RedisAway from error

    async def aclose(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self.client.aclose()

    def collect(self) -> Iterator[Metric]:
        """Its metrics, in the form that prometheus_client asks of a collector."""
        failures = CounterMetricFamily("bundlesvc_redis_failures", "Questions to Redis that failed.")
        failures.add_metric([], self.failures)
        yield failures
        yield GaugeMetricFamily("bundlesvc_redis_up", "Whether Redis answers.", value=int(self.up))

    def _lose(self, error: Exception) -> None:
        self.failures += 1
        if self._watch is not None:  # another question that was under way found it out first
            return
        logger.warning(
            "Redis at %s cannot be used (%s): rate limits and cached data are kept in this process until it can.",
            self.address,
            str(error) or f"no answer within {TIMEOUT} seconds",
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
        """Write something: a Redis that is full, or a copy that takes no writes, is of no use either."""
        await self.client.set(f"{PREFIX}probe", "1", px=1000)


def _options(url: str) -> dict[str, Any]:
    """What a connection is made with. A connection that the server closed while it was idle is opened once more at once;
    nothing else is tried again, because whoever asked can do without."""
    options: dict[str, Any] = {
        **parse_url(url),
        "max_connections": MAX_CONNECTIONS,
        # One clock runs for a question, that of `ask`; the client's own, stopping at the same moment, would get into its way.
        "timeout": None,
        "socket_timeout": None,
        "socket_connect_timeout": None,
        "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        "protocol": 2,  # understood by every Redis, and one question less for each connection
    }
    try:
        BlockingConnectionPool(**options).make_connection()  # type: ignore[no-untyped-call]
    except (TypeError, RedisError) as error:
        raise ValueError("REDIS_URL has an option that Redis' client does not know.") from error
    return options
