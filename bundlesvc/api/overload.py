"""Overload protection: the limit on requests in progress. Beyond this limit, further requests would only make all requests,
including health checks, wait longer."""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from random import randint

from aiohttp import web

from bundlesvc.api.errors import server_response
from bundlesvc.domain.errors import Overloaded

logger = logging.getLogger("bundlesvc")

MAX_RETRY_AFTER = 5
"""The largest `Retry-After` of a refusal, in seconds. Each value is random, so that clients do not all retry at the same time."""

CALM_SECONDS = 10
"""Seconds without a refusal after which an overload counts as over."""


class Episode:
    """A series of events, such as refusals, of which only the start and the end are logged. Times are those of the event loop."""

    def __init__(self) -> None:
        self._last: float | None = None

    def happen(self, now: float) -> bool:
        """Record an event. Returns True when it starts an episode."""
        begins, self._last = self._last is None, now
        return begins

    def end(self, now: float) -> bool:
        """End the episode if the last event was long enough ago. Returns True once per episode."""
        if self._last is None or now - self._last <= CALM_SECONDS:
            return False
        self._last = None
        return True


class Load:
    """Counts the requests in progress, except those waiting for their client or a platform. Waiting requests need no processor
    time; if they were counted, a platform that hangs would take up all slots."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._refused = 0
        self._overload = Episode()
        self.under_way = 0

    @property
    def full(self) -> bool:
        return self.under_way >= self._most

    def take_slot(self) -> "Slot | None":
        """Take a slot for a request. Returns None when none is free."""
        return None if self.full else self.begin()

    def begin(self) -> "Slot":
        """Take a slot for a request even if none is free. The caller must release the slot when the request has ended."""
        self.under_way += 1
        return Slot(self)

    def refused(self, now: float) -> None:
        """Record that a request was refused because no slot was free."""
        if self._overload.happen(now):
            self._refused = 0
            logger.warning(
                "%d requests are in progress, which is the limit (BUNDLESVC_MAX_REQUESTS): further requests are refused.",
                self._most,
            )
        self._refused += 1

    def report(self, now: float) -> None:
        """Log that an overload has ended, if it has. Must be called regularly."""
        if self._overload.end(now):
            logger.info("there is room for requests again; %d were refused.", self._refused)


def overloaded() -> web.Response:
    """Build the response that refuses a request or connection beyond the limit."""
    return server_response(Overloaded(retry_after=randint(1, MAX_RETRY_AFTER)))  # noqa: S311 - not a secret


class Slot:
    """One of a limited number of slots for requests in progress. Each slot is occupied by a single request."""

    __slots__ = ("_ended", "_load", "_waits")

    def __init__(self, load: Load) -> None:
        self._load = load
        self._waits = 0
        self._ended = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Release the slot while waiting for the client or a platform, so that another request may take it. A request that
        continues afterwards is never refused."""
        self._waits += 1
        if self._waits == 1 and not self._ended:
            self._load.under_way -= 1
        try:
            yield
        finally:
            self._waits -= 1
            if self._waits == 0 and not self._ended:
                self._load.under_way += 1

    def end(self) -> None:
        if not self._ended and self._waits == 0:
            self._load.under_way -= 1
        self._ended = True


SLOT = web.RequestKey("slot", Slot)


def waiting_of(request: web.BaseRequest) -> Callable[[], AbstractContextManager[None]]:
    """Return the request's `Slot.waiting`, or a context manager that does nothing if the request is not counted."""
    slot = request.get(SLOT)
    return nullcontext if slot is None else slot.waiting
