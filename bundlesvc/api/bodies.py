"""What clients may hold of a process, and for how long. Bodies are read part by part: each within its limit, and all of them
within one limit on memory.
"""

from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from bundlesvc.api.server.overload import waiting_of
from bundlesvc.domain.errors import BodyTooLarge, BodyTooSlow, InvalidJson, Overloaded

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Connections at once, seconds, and bytes a second. A body may take `header_seconds`, and a second more for each
    `body_rate` bytes that came, up to `body_seconds`; a response must be read within `body_seconds`. `requests` may be under
    way at once."""

    requests: int = 500
    most: int = 2000
    header_seconds: float = 10
    body_seconds: float = 60
    body_rate: float = 1000
    keepalive_seconds: float = 75


class SlowBodyError(web.RequestPayloadError):
    """The body came too slowly."""


class BodyMemory:
    """Limits the memory for unfinished bodies of all requests. A client is charged for what it has sent, not for what it
    announces."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._taken = 0

    def has_room(self, size: int) -> bool:
        return self._taken + size <= self._limit

    async def receive(self, request: web.Request, limit: int, feed: Callable[[bytes], object]) -> None:
        """Call `feed` with each part of the body. Raises BodyTooLarge for more than `limit` bytes (before it reads anything if
        the length is announced), Overloaded when all bodies together are too large, BodyTooSlow, and InvalidJson for
        malformed chunks."""
        if (request.content_length or 0) > limit:
            raise BodyTooLarge
        if request.content.is_eof() and request.content.exception() is None:
            self._read_at_once(request, limit, feed)
            return
        try:
            await self._read(request, limit, feed)
        except SlowBodyError as error:
            raise BodyTooSlow from error
        except (HttpProcessingError, web.RequestPayloadError) as error:
            raise InvalidJson from error

    def _read_at_once(self, request: web.Request, limit: int, feed: Callable[[bytes], object]) -> None:
        """Read a body that has arrived with its head, as most do: in a quarter of the time."""
        body = request.content.read_nowait()
        if len(body) > limit:
            raise BodyTooLarge
        if not self.has_room(len(body)):
            raise Overloaded
        feed(body)

    async def _read(self, request: web.Request, limit: int, feed: Callable[[bytes], object]) -> None:
        size = 0
        try:
            with waiting_of(request)():
                async for part in request.content.iter_any():
                    size += len(part)
                    self._taken += len(part)
                    if size > limit:
                        raise BodyTooLarge
                    if self._taken > self._limit:
                        raise Overloaded
                    feed(part)
        finally:
            self._taken -= size
