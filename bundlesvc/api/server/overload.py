"""Overload: how many requests may be under way. More of them would only make all wait longer, also those of health checks."""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from random import randint

from aiohttp import web

from bundlesvc.api.errors import server_response
from bundlesvc.domain.errors import Overloaded

logger = logging.getLogger("bundlesvc")

MAX_RETRY_AFTER = 5
"""Seconds. Each refusal has a random number of them, so that not all clients come back at once."""

CALM_SECONDS = 10
"""An overload is over when nothing was refused for this long."""


class Episode:
    """Something that happens again and again for a while, so that its start and its end can be logged once. Times are those of
    the event loop."""

    def __init__(self) -> None:
        self._last: float | None = None

    def happen(self, now: float) -> bool:
        """Note that it happened. Returns whether an episode starts with this."""
        begins, self._last = self._last is None, now
        return begins

    def end(self, now: float) -> bool:
        """Whether the episode is over. True once for each."""
        if self._last is None or now - self._last <= CALM_SECONDS:
            return False
        self._last = None
        return True


class Load:
    """The requests under way, but for those that wait for their client or a platform: these need no processor, and one
    platform that hangs would take all the room."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._refused = 0
        self._overload = Episode()
        self.under_way = 0

    @property
    def full(self) -> bool:
        return self.under_way >= self._most

    def place(self) -> "Place | None":
        """A place for a request, if there is one."""
        return None if self.full else self.begin()

    def begin(self) -> "Place":
        """Let a request in, even if there is no room. It must end."""
        self.under_way += 1
        return Place(self)

    def refused(self, now: float) -> None:
        """A request had no place."""
        if self._overload.happen(now):
            self._refused = 0
            logger.warning(
                "%d requests are under way, as many as there may be (BUNDLESVC_MAX_REQUESTS): further ones are refused.",
                self._most,
            )
        self._refused += 1

    def report(self, now: float) -> None:
        """Log the end of an overload. Call it now and then."""
        if self._overload.end(now):
            logger.info("there is room for requests again; %d were refused.", self._refused)


def overloaded() -> web.Response:
    """The response to a request or a connection that has no place."""
    return server_response(Overloaded(retry_after=randint(1, MAX_RETRY_AFTER)))  # noqa: S311 - not a secret


class Place:
    """What a request takes of the load."""

    __slots__ = ("_ended", "_load", "_waits")

    def __init__(self, load: Load) -> None:
        self._load = load
        self._waits = 0
        self._ended = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While the request waits for its client or a platform, another one may begin. A request that goes on is never
        refused."""
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


PLACE = web.RequestKey("place", Place)


def waiting_of(request: web.BaseRequest) -> Callable[[], AbstractContextManager[None]]:
    """The request's `Place.waiting`; a context without effect where requests are not counted."""
    place = request.get(PLACE)
    return nullcontext if place is None else place.waiting
