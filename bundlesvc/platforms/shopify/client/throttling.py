"""Throttles calls by query cost: Shopify gives each shop a bucket of points. To avoid being throttled by the shop, calls wait
here until enough points are available, but no longer than the deadline of their session allows."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import ceil
from typing import Any

from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.platforms.calls.deadline import Deadline, Sleep
from bundlesvc.platforms.shopify.client.call_errors import OutOfPoints
from bundlesvc.ports import Clock

FIRST_GUESS = 100.0
"""The assumed cost of a document before its first response."""
SMALL_BUCKET, SLOW_RESTORE = 1000.0, 50.0
"""The assumed bucket before the first response: smaller than any real one."""
RESERVE = 0.1
"""The share of the bucket that is left to other processes, which use the same bucket."""
SHORTEST_WAIT = 0.05
SHORTEST_PENALTY = 1.0
"""The minimum number of seconds that all calls to the shop wait after one of them was throttled."""


@dataclass(frozen=True, slots=True)
class Level:
    """The level of a bucket in points, as reported by the response received at `seen_at`. `restore_rate` is in points per
    second."""

    maximum: float
    available: float
    restore_rate: float
    seen_at: float

    def at(self, now: float) -> float:
        """Return the points available at this time."""
        return min(self.maximum, self.available + (now - self.seen_at) * self.restore_rate)


class CostBucket:
    """One shop's bucket of query-cost points. First come, first served: cheap calls do not overtake a costly one."""

    def __init__(self, clock: Clock, sleep: Sleep) -> None:
        self._clock = clock
        self._sleep = sleep
        self._queue = asyncio.Lock()
        self._returned = asyncio.Event()
        self._costs: dict[str, float] = {}
        self._level = Level(SMALL_BUCKET, SMALL_BUCKET, SLOW_RESTORE, clock.monotonic())
        self._in_progress: list[float] = []
        self._closed_until = 0.0

    @asynccontextmanager
    async def points(self, document: str, deadline: Deadline) -> AsyncIterator[None]:
        """Return a context manager for one call. It waits for the points that the call costs, and reserves them until the call
        ends.

        Raises OutOfPoints when the points will not be available in time, and PlatformUnavailable when calls in progress used up
        all the time.
        """
        cost = await self._wait_for(document, deadline)
        try:
            yield
        finally:
            self._in_progress.remove(cost)
            self._returned.set()

    @property
    def left(self) -> float:
        """The share of all points that is currently left."""
        return self._level.at(self._clock.monotonic()) / self._level.maximum

    def observe(self, document: str, payload: Mapping[str, Any]) -> None:
        """Update the cost of the operation and the level of the bucket from `extensions.cost` in a response."""
        cost = _cost_in(payload)
        if isinstance(requested := cost.get("requestedQueryCost"), int | float):
            self._costs[document] = float(requested)
        status = cost.get("throttleStatus")
        if isinstance(status, Mapping):
            self._level = _level(status, self._clock.monotonic()) or self._level

    def throttled(self, document: str, retry_after: float) -> None:
        """Record that a call was throttled: all calls then wait until the points for that call are available, and at least
        `retry_after` seconds."""
        wait = max(self._shortage(self._cost(document), reserve=0.0), retry_after, SHORTEST_PENALTY)
        self._closed_until = max(self._closed_until, self._clock.monotonic() + wait)

    async def _wait_for(self, document: str, deadline: Deadline) -> float:
        """Wait for the points for a call and reserve them. Returns the cost of the call."""
        try:
            async with asyncio.timeout(self._until(deadline.send_by)), self._queue:
                while not await self._affordable(document, deadline):
                    pass
                cost = self._cost(document)
                self._in_progress.append(cost)
                return cost
        except TimeoutError as error:
            wait = self._wait(self._cost(document))
            hogged = self._in_progress and wait <= 0
            raise (PlatformUnavailable() if hogged else OutOfPoints(max(1, ceil(wait)))) from error

    async def _affordable(self, document: str, deadline: Deadline) -> bool:
        """Return True when the call may be sent now. Otherwise wait until that may have changed, and return False. Raises
        OutOfPoints when the wait would pass the deadline."""
        cost = self._cost(document)
        wait = self._wait(cost)
        if wait > 0:
            wait = max(wait, SHORTEST_WAIT)
            if wait > self._until(deadline.send_by):
                raise OutOfPoints(ceil(wait))
            await self._sleep(wait)
            return False
        if not self._in_progress or self._shortage(cost, RESERVE, reserved=sum(self._in_progress)) <= 0:
            return True
        self._returned.clear()  # at the end of a call, the platform returns the unused points
        await self._returned.wait()
        return False

    def _wait(self, cost: float) -> float:
        """Return the seconds until the shop would accept a call of this cost if no other call were in progress; 0 or less means
        now."""
        return max(self._until(self._closed_until), self._shortage(cost, RESERVE))

    def _shortage(self, cost: float, reserve: float, reserved: float = 0.0) -> float:
        """Return the seconds until enough points are available for the call, the reserve, and the points reserved for other
        calls; 0 or less means now. A call that costs more than the whole bucket waits for a full bucket."""
        needed = min(cost + reserve * self._level.maximum, self._level.maximum) + reserved
        return (needed - self._level.at(self._clock.monotonic())) / self._level.restore_rate

    def _until(self, time: float) -> float:
        """Return the seconds until this time; negative when it is in the past."""
        return time - self._clock.monotonic()

    def _cost(self, document: str) -> float:
        return self._costs.get(document, FIRST_GUESS)


def points_of(payload: Mapping[str, Any]) -> float:
    """Return the points that a call cost, according to its response; 0 when the response does not say."""
    cost = _cost_in(payload).get("actualQueryCost")
    return float(cost) if isinstance(cost, int | float) else 0.0


def _cost_in(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `extensions.cost` of a response; an empty mapping when the response does not contain it."""
    extensions = payload.get("extensions")
    cost = extensions.get("cost") if isinstance(extensions, Mapping) else None
    return cost if isinstance(cost, Mapping) else {}


def _level(status: Mapping[str, Any], now: float) -> Level | None:
    """Parse the level of the bucket from the throttle status in a response. Returns None when the status is not valid."""
    numbers = [status.get(name) for name in ("maximumAvailable", "currentlyAvailable", "restoreRate")]
    if not all(isinstance(number, int | float) for number in numbers):
        return None
    maximum, available, restore_rate = (float(number) for number in numbers if number is not None)
    return Level(maximum, available, restore_rate, now) if maximum > 0 and restore_rate > 0 else None
