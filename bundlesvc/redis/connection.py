"""The connection to Redis, shared by rate limits and the cache. It never makes a request fail. It hardly delays requests, because
after a failure, no command is sent until a background task finds that Redis responds again."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from contextvars import Context
from typing import Any, TypeVar

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from redis.exceptions import RedisClusterException, RedisError

from bundlesvc.eager import in_task
from bundlesvc.redis.names import RedisUnavailable
from bundlesvc.redis.servers import redis_servers

logger = logging.getLogger(__name__)

T = TypeVar("T")

TIMEOUT = 0.5
"""Timeout of a command in seconds, including the time to connect: the longest delay that a hung Redis causes a request."""

TURNS = 10
"""The minimum number of turns of the event loop that a command gets before it times out. A new connection needs fewer turns."""

RETRY_SECONDS, MAX_RETRY_SECONDS = 1.0, 8.0
"""Seconds between attempts to reach Redis after it was lost: the first pause, and the longest. The pause doubles when Redis fails
again soon after its return."""

STEADY_SECONDS = 60.0
"""Seconds after the return of Redis within which another failure doubles the pause."""

MAX_COMMANDS = 50
"""The maximum number of simultaneous commands, each on its own connection. Further commands wait."""

_FAILURES = (RedisError, RedisClusterException, OSError, TimeoutError, AttributeError, RuntimeError)
"""Errors of a failed command. The cluster's client raises the last two when a failed command closes a connection that another
command is about to use."""


class RedisConnection:
    """A client for the Redis server or servers at a URL (`bundlesvc/redis/url.py`). It performs no I/O before the first command.
    Raises ValueError for an invalid URL. `client` is replaced after a failure, so callers must look it up for each command."""

    def __init__(self, url: str) -> None:
        self._servers = redis_servers(url)
        self.client: Any = self._servers.client(TIMEOUT)
        self.failures = 0
        self._turns = asyncio.Semaphore(MAX_COMMANDS)
        self._watch: asyncio.Task[None] | None = None
        self._pause = RETRY_SECONDS
        self._back_at = float("-inf")

    @property
    def name(self) -> str:
        """The name of the server in messages: its kind and address."""
        return self._servers.name

    @property
    def up(self) -> bool:
        """Whether the last command succeeded."""
        return self._watch is None

    async def start(self) -> None:
        """Test the connection, so that a wrong address is logged at startup. The service starts even without Redis."""
        try:
            await self._try()
        except _FAILURES as error:
            self._lose(error)

    async def run(self, command: Callable[[], Awaitable[T]]) -> T:
        """Run a command and return its response. Raises RedisUnavailable: immediately while Redis is known to be unavailable;
        within half a second when this command is the first to fail; or after waiting half a second for a turn, which does not
        count as a failure of Redis."""
        if self._watch is not None:
            raise RedisUnavailable
        await in_task()
        await self._take_turn()
        try:
            if self._watch is not None:  # Redis failed while this command was waiting
                raise RedisUnavailable
            async with _timeout(TIMEOUT):
                return await command()
        except _FAILURES as error:
            self._lose(error)
            raise RedisUnavailable from error
        finally:
            self._turns.release()

    async def _take_turn(self) -> None:
        if not self._turns.locked():
            await self._turns.acquire()  # returns immediately
            return
        try:
            async with _timeout(TIMEOUT):
                await self._turns.acquire()
        except TimeoutError as error:
            self.failures += 1
            raise RedisUnavailable from error

    async def aclose(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self._servers.close(self.client)

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the connection (the collector interface of prometheus_client)."""
        failures = CounterMetricFamily("bundlesvc_redis_failures", "Commands to Redis that failed.")
        failures.add_metric([], self.failures)
        yield failures
        yield GaugeMetricFamily("bundlesvc_redis_up", "Whether Redis responds.", value=int(self.up))

    def _lose(self, error: Exception) -> None:
        self.failures += 1
        if self._watch is not None:  # another command has already failed
            return
        logger.warning(
            "%s cannot be used (%s): rate limits and the cache are local to this process until it can.",
            self.name,
            self._servers.reason(error) or f"no response within {TIMEOUT} seconds",
        )
        relapse = asyncio.get_running_loop().time() - self._back_at < STEADY_SECONDS
        self._pause = min(MAX_RETRY_SECONDS, self._pause * 2) if relapse else RETRY_SECONDS
        # Start the task without the context of the request whose command failed: otherwise the recovery would belong to that
        # request's trace.
        self._watch = asyncio.create_task(self._watch_for_return(), name="waiting for Redis", context=Context())

    async def _watch_for_return(self) -> None:
        while True:
            await asyncio.sleep(self._pause)
            try:
                await self._renew()
                await self._try()
                break
            except _FAILURES:
                self.failures += 1
        self._back_at = asyncio.get_running_loop().time()
        self._watch = None
        logger.info("%s can be used again.", self.name)

    async def _renew(self) -> None:
        """Replace the client once no command uses it. The old client may have connections to a server that hangs or has been
        replaced."""
        for _ in range(MAX_COMMANDS):
            await self._turns.acquire()
        old, self.client = self.client, self._servers.client(TIMEOUT)
        for _ in range(MAX_COMMANDS):
            self._turns.release()
        with suppress(*_FAILURES):
            async with asyncio.timeout(TIMEOUT):
                await self._servers.close(old)

    async def _try(self) -> None:
        async with asyncio.timeout(TIMEOUT * self._servers.attempts):
            await self._probe()

    async def _probe(self) -> None:
        await self._servers.probe(self.client)


@asynccontextmanager
async def _timeout(seconds: float) -> AsyncIterator[None]:
    """Apply a timeout that is split into several shorter waits, so that the event loop gets a turn between them. Otherwise, when
    the loop is busy, a response that arrived long ago could be reported as a timeout."""
    async with asyncio.timeout(None) as timeout:
        parts = _Parts(timeout, seconds / TURNS)
        try:
            yield
        finally:
            parts.cancel()


class _Parts:
    """Splits a timeout into `TURNS` consecutive timers, and triggers it when the last timer fires."""

    def __init__(self, timeout: asyncio.Timeout, seconds: float) -> None:
        self._timeout = timeout
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._begin(TURNS)

    def _begin(self, left: int) -> None:
        if left:
            self._timer = self._loop.call_later(self._seconds, self._begin, left - 1)
        else:
            self._timeout.reschedule(self._loop.time())

    def cancel(self) -> None:
        self._timer.cancel()
