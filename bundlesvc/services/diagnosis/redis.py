"""Checks the connection to Redis."""

from collections.abc import AsyncIterator

from bundlesvc.ports import LoggedWarnings, RedisServer
from bundlesvc.services.diagnosis.check_result import FAULT, OK, CheckResult


async def check_redis(redis: RedisServer, warnings: LoggedWarnings) -> AsyncIterator[CheckResult]:
    """Check that Redis can be used."""
    await redis.start()
    if redis.up:
        yield CheckResult(OK, "redis", f"{redis.name} responds")
    await redis.aclose()
    for warning in warnings.take():
        yield CheckResult(FAULT, "redis", warning)
