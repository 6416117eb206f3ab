"""Retries of calls that failed temporarily."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bundlesvc.platforms.calls.call_errors import Transient
from bundlesvc.platforms.calls.deadline import Deadline, Sleep
from bundlesvc.platforms.calls.http import Reply
from bundlesvc.ports import Clock

MAX_RETRIES = 3
FIRST_BACKOFF = 0.25
LONGEST_BACKOFF = 2.0
HUNG_SHARE = 0.5
"""The share of a session's time after which a failed call counts as hung. Such a call opens the circuit breaker at once, because
further attempts would probably hang too, and keep clients waiting."""

Chance = Callable[[], float]
"""A function that returns a random number from 0 to 1."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """The policy that decides when a failed call is sent again."""

    clock: Clock
    sleep: Sleep = asyncio.sleep
    chance: Chance = random.random

    def of_call(self, deadline: Deadline) -> "Retries":
        """Return the retry state for one call, which is limited by the deadline of its session."""
        return Retries(self, deadline)


class Retries:
    """The retries that remain for one call."""

    def __init__(self, policy: RetryPolicy, deadline: Deadline) -> None:
        self._policy = policy
        self._deadline = deadline
        self._failures = 0

    async def wait(self, failure: Transient, *, worthwhile: bool) -> None:
        """Wait until the call may be sent again. Raises the failure's error when the call may not be retried: `MAX_RETRIES`
        retries have already been made, the deadline is too close, or the caller says that a retry is not `worthwhile`."""
        seconds = self._back_off(failure)
        if not worthwhile or self._failures >= MAX_RETRIES or seconds > self._seconds_left():
            raise failure.error from failure
        self._failures += 1
        await self._policy.sleep(seconds)

    def _seconds_left(self) -> float:
        return max(0.0, self._deadline.send_by - self._policy.clock.monotonic())

    def _back_off(self, failure: Transient) -> float:
        """Return the backoff in seconds before the next retry: a random fraction of a maximum that doubles with each failure, so
        that processes do not retry in step. It is never shorter than the delay that the platform asked for."""
        longest = min(LONGEST_BACKOFF, FIRST_BACKOFF * float(2**self._failures))
        return max(self._policy.chance() * longest, failure.retry_after)


async def watched(sending: Awaitable[Reply], clock: Clock, deadline: Deadline) -> Reply:
    """Await the reply to a request. A failed request counts as hung when it took at least `HUNG_SHARE` of the time that the
    session's deadline allows."""
    began_at = clock.monotonic()
    try:
        return await sending
    except Transient as failure:
        failure.hung = clock.monotonic() - began_at >= deadline.seconds * HUNG_SHARE
        raise
