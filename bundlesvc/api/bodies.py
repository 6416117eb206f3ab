"""Reading bodies part by part: each within its limit, and all that are on their way within the memory for them."""

from collections.abc import Callable

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from bundlesvc.domain.errors import BodyTooLarge, BodyTooSlow, InvalidJson, Overloaded

MEBIBYTE = 1024 * 1024


class SlowBodyError(web.RequestPayloadError):
    """A body was given up, because it came too slowly."""


class BodyMemory:
    """The memory for bodies that are on their way, over all requests: a client takes of it what it has sent, not what it
    announces."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._taken = 0

    async def receive(self, request: web.Request, limit: int, feed: Callable[[bytes], object]) -> None:
        """Hand over the body in its parts. Raises BodyTooLarge for more than `limit` bytes, before anything is read where the
        length is announced; Overloaded when all bodies together are too much; BodyTooSlow; InvalidJson for chunks that are
        not."""
        if (request.content_length or 0) > limit:
            raise BodyTooLarge
        try:
            await self._read(request, limit, feed)
        except SlowBodyError as error:
            raise BodyTooSlow from error
        except (HttpProcessingError, web.RequestPayloadError) as error:
            raise InvalidJson from error

    async def _read(self, request: web.Request, limit: int, feed: Callable[[bytes], object]) -> None:
        size = 0
        try:
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
