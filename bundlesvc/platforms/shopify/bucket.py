"""The query-cost bucket of one shop, as its answers report it: calls queue for points instead of being refused."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import ceil
from typing import Any

from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.platforms.shopify.deadline import Deadline
from bundlesvc.platforms.shopify.outcomes import OutOfPoints
from bundlesvc.ports import Clock

Sleep = Callable[[float], Awaitable[None]]

FIRST_GUESS = 100.0
"""What a document is taken to cost until its first answer tells."""
SMALL_BUCKET, SLOW_RESTORE = 1000.0, 50.0
"""What the bucket is taken to be until the first answer tells: smaller than any."""
RESERVE = 0.1
"""The share of the bucket that is left for others: our neighbour processes draw on the same one."""
SHORTEST_WAIT = 0.05
SHORTEST_PENALTY = 1.0
"""Seconds that every call of the shop waits at least when one was throttled."""


@dataclass(frozen=True, slots=True)
class Level:
    """The bucket as an answer saw it: points, and points per second."""

    maximum: float
    available: float
    restore_rate: float
    seen_at: float

    def at(self, now: float) -> float:
        """The points that are there by now."""
        return min(self.maximum, self.available + (now - self.seen_at) * self.restore_rate)


class CostBucket:
    """First come, first served: who needs many points is not overtaken by those who need few."""

    def __init__(self, clock: Clock, sleep: Sleep) -> None:
        self._clock = clock
        self._sleep = sleep
        self._turn = asyncio.Lock()
        self._returned = asyncio.Event()
        self._costs: dict[str, float] = {}
        self._level = Level(SMALL_BUCKET, SMALL_BUCKET, SLOW_RESTORE, clock.monotonic())
        self._under_way: list[float] = []
        self._closed_until = 0.0

    @asynccontextmanager
    async def points(self, document: str, deadline: Deadline) -> AsyncIterator[None]:
        """Around one call: its points are set aside as soon as they are there.

        Raises OutOfPoints when they will not be there in time, PlatformUnavailable when calls under way took all of it.
        """
        cost = await self._wait_for(document, deadline)
        try:
            yield
        finally:
            self._under_way.remove(cost)
            self._returned.set()

    def observe(self, document: str, cost: Mapping[str, Any]) -> None:
        """Learn from an answer's `extensions.cost`."""
        if isinstance(requested := cost.get("requestedQueryCost"), int | float):
            self._costs[document] = float(requested)
        status = cost.get("throttleStatus")
        if isinstance(status, Mapping):
            self._level = _level(status, self._clock.monotonic()) or self._level

    def throttled(self, document: str, retry_after: float) -> None:
        """A call was refused: all wait until the shop has its points, and at least as long as it asked for."""
        wait = max(self._shortage(self._cost(document), reserve=0.0), retry_after, SHORTEST_PENALTY)
        self._closed_until = max(self._closed_until, self._clock.monotonic() + wait)

    async def _wait_for(self, document: str, deadline: Deadline) -> float:
        """The points that are set aside, once they are there."""
        try:
            async with asyncio.timeout(deadline.for_waiting), self._turn:
                while not await self._affordable(document, deadline):
                    pass
                cost = self._cost(document)
                self._under_way.append(cost)
                return cost
        except TimeoutError as error:
            wait = self._wait(self._cost(document))
            hogged = self._under_way and wait <= 0
            raise (PlatformUnavailable() if hogged else OutOfPoints(max(1, ceil(wait)))) from error

    async def _affordable(self, document: str, deadline: Deadline) -> bool:
        """Whether the call may be sent now; if not, returns after a while that may have changed it."""
        cost = self._cost(document)
        wait = self._wait(cost)
        if wait > 0:
            wait = max(wait, SHORTEST_WAIT)
            if wait > deadline.for_waiting:
                raise OutOfPoints(ceil(wait))
            await self._sleep(wait)
            return False
        if not self._under_way or self._shortage(cost, RESERVE, aside=sum(self._under_way)) <= 0:
            return True
        self._returned.clear()  # the platform gives back what a call did not need, and says so at its end
        await self._returned.wait()
        return False

    def _wait(self, cost: float) -> float:
        """Seconds until the shop takes such a call, were it the only one; not positive when it does."""
        return max(self._closed_until - self._clock.monotonic(), self._shortage(cost, RESERVE))

    def _shortage(self, cost: float, reserve: float, aside: float = 0.0) -> float:
        """Seconds until so many points are there beside the reserve and what is set aside; not positive when they are. A
        call that needs more than the bucket holds needs all of it."""
        needed = min(cost + reserve * self._level.maximum, self._level.maximum) + aside
        return (needed - self._level.at(self._clock.monotonic())) / self._level.restore_rate

    def _cost(self, document: str) -> float:
        return self._costs.get(document, FIRST_GUESS)


def _level(status: Mapping[str, Any], now: float) -> Level | None:
    """None for a status that makes no sense."""
    numbers = [status.get(name) for name in ("maximumAvailable", "currentlyAvailable", "restoreRate")]
    if not all(isinstance(number, int | float) for number in numbers):
        return None
    maximum, available, restore_rate = (float(number) for number in numbers if number is not None)
    return Level(maximum, available, restore_rate, now) if restore_rate > 0 else None
