"""Runs the periodic tasks of a process, such as reading the revisions of shops or deleting expired responses."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import uniform

from bundlesvc.domain.errors import Unavailable

logger = logging.getLogger(__name__)

REFRESH_SECONDS = 1.0
"""Seconds between two checks for changed shops and revoked keys (docs/contract.md#shops-and-keys)."""

LAST_USED_SECONDS = 30.0
EXPIRY_SECONDS = 600.0

GHOST_SECONDS = 10.0
"""Seconds between two passes over the ghost variants that are due for a check."""

GHOST_COUNT_SECONDS = 60.0
SHOPPER_REQUEST_SECONDS = 60.0
PRUNE_SECONDS = 24 * 60 * 60.0

IDLE_CACHE_SECONDS = 60.0
"""Seconds between two checks for unused rendered responses."""

BACKUP_SECONDS = 60.0
"""Seconds between two checks of whether a scheduled backup is due."""

TEST_WRITE_SECONDS = 15.0
"""Seconds between two test writes while the database works. While the database fails, there is a test write every second."""

SIZES_SECONDS = 300.0
"""Seconds between two measurements of the database's size."""

STANDBYS_SECONDS = 15.0
"""Seconds between two measurements of how far standby servers are behind."""

FIRST_PAUSE_SECONDS = 60.0
"""The longest pause before the first run of a task, so that rare tasks also run in a process that is restarted often. Part of the
pause is random, so that processes started together do not run their tasks together."""


@asynccontextmanager
async def periodically(name: str, seconds: float, task: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Run a task every `seconds` while the context lasts. Of consecutive failures, only the first is logged."""
    running = asyncio.create_task(_repeat(name, seconds, task), name=name)
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def _repeat(name: str, seconds: float, task: Callable[[], Awaitable[None]]) -> None:
    failing = False
    pause = seconds if seconds <= FIRST_PAUSE_SECONDS else FIRST_PAUSE_SECONDS * uniform(0.5, 1)  # noqa: S311
    while True:
        await asyncio.sleep(pause)
        pause = seconds
        try:
            await task()
        except Unavailable as error:
            if not failing:
                logger.warning("%s failed: %s Retrying every %g seconds.", name, error, seconds)
            failing = True
        except Exception:
            if not failing:
                logger.exception("%s failed", name)
            failing = True
        else:
            if failing:
                logger.info("%s works again.", name)
            failing = False
