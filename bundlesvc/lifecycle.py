"""The resources that the application opens at startup and closes at shutdown, as contexts for aiohttp's `cleanup_ctx`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from aiohttp import web

from bundlesvc.api.response_cache.cache import ResponseCache
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.retention import Retention
from bundlesvc.live_platforms import LivePlatforms
from bundlesvc.metrics.page import MetricsPage
from bundlesvc.metrics.process import EventLoopLag
from bundlesvc.metrics.workers import PUBLISH_SECONDS
from bundlesvc.ports import ChangeLog, Clock, ConfiguredStore, RequestBuckets
from bundlesvc.services.access.authentication import Authentication
from bundlesvc.services.access.usage import UsageCounter
from bundlesvc.services.ghosts.upkeep import GhostUpkeep
from bundlesvc.services.platform_changes import ChangeFollower
from bundlesvc.services.shoppers.shopper_requests import ShopperRequests
from bundlesvc.serving.background import (
    BACKUP_SECONDS,
    EXPIRY_SECONDS,
    GHOST_COUNT_SECONDS,
    GHOST_SECONDS,
    IDLE_CACHE_SECONDS,
    LAST_USED_SECONDS,
    PRUNE_SECONDS,
    REFRESH_SECONDS,
    SHOPPER_REQUEST_SECONDS,
    SIZES_SECONDS,
    STANDBYS_SECONDS,
    TEST_WRITE_SECONDS,
    periodically,
)
from bundlesvc.serving.free_memory import WORTHWHILE, give_back
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.maintenance.backups import ScheduledBackups
from bundlesvc.storage.maintenance.housekeeping import prune
from bundlesvc.storage.maintenance.measurements import DatabaseMeasurements
from bundlesvc.tracing.requests import Tracing

if TYPE_CHECKING:
    from bundlesvc.redis.connection import RedisConnection

logger = logging.getLogger(__name__)

LAST_WRITE_SECONDS = 5.0
"""Seconds for which a shutdown waits for a hung database, because hosts kill a process that takes too long."""

CleanupContext = Callable[[web.Application], AsyncIterator[None]]


def repeating(
    name: str,
    seconds: float,
    task: Callable[[], Awaitable[None]],
    at_the_end: Callable[[], Awaitable[None]] | None = None,
) -> CleanupContext:
    """Run a task at regular intervals while the service runs; `name` identifies the task in the log when it fails. `at_the_end`
    runs at shutdown, and is cancelled after `LAST_WRITE_SECONDS`."""

    async def context(_: web.Application) -> AsyncIterator[None]:
        async with periodically(name, seconds, task):
            yield
        if at_the_end is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_WRITE_SECONDS):
                    await at_the_end()

    return context


def polling(name: str, task: Callable[[], Awaitable[None]]) -> CleanupContext:
    """Run a task that checks every second whether there is work to do. `name` identifies the task in the log when it fails."""
    return repeating(name, REFRESH_SECONDS, task)


def traced(tracing: Tracing) -> CleanupContext:
    async def context(_: web.Application) -> AsyncIterator[None]:
        tracing.start()
        yield
        await tracing.close()

    return context


def opened_database(database: Database) -> CleanupContext:
    async def context(_: web.Application) -> AsyncIterator[None]:
        database.health.log()
        database.start()
        async with periodically("the test write", REFRESH_SECONDS, _test_writes(database)):
            yield
        await database.close()

    return context


def _test_writes(database: Database) -> Callable[[], Awaitable[None]]:
    """Return a task that makes occasional test writes, and frequent ones while the database is failing, so that its recovery is
    noticed soon. `database.health` logs the failure and the recovery."""
    loop = asyncio.get_running_loop()
    last = loop.time()

    async def write() -> None:
        nonlocal last
        if database.health.failure is None and loop.time() - last < TEST_WRITE_SECONDS:
            return
        with suppress(StorageUnavailable):
            await database.try_writing()
        last = loop.time()

    return write


def pruned_daily(database: Database, retention: Retention, clock: Clock) -> CleanupContext:
    """Delete expired data soon after startup, and then once a day."""
    last: float | None = None

    async def run() -> None:
        nonlocal last
        if last is None or clock.monotonic() - last >= PRUNE_SECONDS:
            await prune(database, int(clock.now()), retention)
            last = clock.monotonic()

    return repeating("the deletion of old data", EXPIRY_SECONDS, run)


def measured_database(measurements: DatabaseMeasurements) -> CleanupContext:
    """Measure the sizes of the database, and the lag of its standby servers."""

    async def context(_: web.Application) -> AsyncIterator[None]:
        async with (
            periodically("the measurement of the database", SIZES_SECONDS, measurements.measure_sizes),
            periodically("the measurement of standby servers", STANDBYS_SECONDS, measurements.measure_standbys),
        ):
            yield

    return context


def counted_usage(usage: UsageCounter) -> CleanupContext:
    """Store the usage of keys once a minute, and at shutdown."""

    async def context(_: web.Application) -> AsyncIterator[None]:
        async with periodically("storing the usage of keys", REFRESH_SECONDS, usage.run):
            yield
        try:
            async with asyncio.timeout(LAST_WRITE_SECONDS):
                await usage.write()
        except (StorageUnavailable, TimeoutError) as error:
            logger.warning("The latest usage of keys was not stored: %s", str(error) or "no response in time.")

    return context


def unused_responses_dropped(rendered: ResponseCache) -> CleanupContext:
    """Periodically drop unused rendered responses, and return their memory to the operating system."""

    async def expire() -> None:
        if rendered.expire() >= WORTHWHILE:
            await asyncio.to_thread(give_back)

    return repeating("the expiry of rendered responses", IDLE_CACHE_SECONDS, expire)


def backed_up(backups: ScheduledBackups) -> CleanupContext:
    """Make the scheduled backups while the service runs."""
    return repeating("the scheduled backup", BACKUP_SECONDS, backups.run)


def opened_redis(redis: RedisConnection, buckets: RequestBuckets) -> CleanupContext:
    async def context(_: web.Application) -> AsyncIterator[None]:
        await redis.start()
        yield
        await buckets.aclose()
        await redis.aclose()

    return context


def opened_live_platforms(live: LivePlatforms) -> CleanupContext:
    async def context(_: web.Application) -> AsyncIterator[None]:
        async with live.opened():
            yield

    return context


def background_jobs(
    authentication: Authentication,
    follower: ChangeFollower,
    configured: ConfiguredStore,
    changes: ChangeLog,
    ghosts: GhostUpkeep,
    requests: ShopperRequests,
    clock: Clock,
) -> CleanupContext:
    """Read shops and keys once at startup, then run the periodic tasks."""

    async def expire() -> None:
        await configured.expire(int(clock.now()))
        await changes.expire(int(clock.now()))

    async def context(_: web.Application) -> AsyncIterator[None]:
        await authentication.refresh()
        await follower.start()
        async with (
            periodically("the poll of revisions", REFRESH_SECONDS, authentication.refresh),
            periodically("the poll of platform changes", REFRESH_SECONDS, follower.follow),
            periodically("writing last-used times", LAST_USED_SECONDS, authentication.last_use.write),
            periodically("the expiry of stored responses", EXPIRY_SECONDS, expire),
            periodically("the check of ghost variants", GHOST_SECONDS, ghosts.run),
            periodically("the platforms' requests about shoppers", SHOPPER_REQUEST_SECONDS, requests.run),
            periodically("the count of ghost variants", GHOST_COUNT_SECONDS, ghosts.count),
        ):
            yield
        try:
            await authentication.last_use.write()
        except StorageUnavailable as error:
            logger.warning("The latest last-used times of keys were not written: %s", error)

    return context


def measured(lag: EventLoopLag, page: MetricsPage) -> CleanupContext:
    """Measure the lag of the event loop, and share this worker's metrics with the other workers, for the last time at
    shutdown."""

    async def publish() -> None:
        page.publish()

    async def context(_: web.Application) -> AsyncIterator[None]:
        lag.start()
        page.publish()
        async with periodically("sharing metrics", PUBLISH_SECONDS, publish):
            yield
        lag.stop()
        page.publish()

    return context
