"""Reads bodies chunk by chunk. Each body has its own size limit, and all bodies share a limit on memory (`memory.py`)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiohttp import web

from bundlesvc.api.aiohttp_internals import HttpProcessingError
from bundlesvc.api.bodies.memory import BodyMemory, Sender
from bundlesvc.api.overload import waiting_of
from bundlesvc.domain.errors import BodyTooLarge, BodyTooSlow, InvalidJson, Overloaded

MEBIBYTE = 1024 * 1024

Feed = Callable[[bytes], object]


class SlowBodyError(web.RequestPayloadError):
    """The body arrived too slowly."""


class CrowdedOutError(web.RequestPayloadError):
    """The body was abandoned to make room for the bodies of other requests."""


async def receive_body(
    request: web.Request, memory: BodyMemory, sender: Callable[[web.Request], Sender], limit: int, feed: Feed
) -> None:
    """Read a body, and call `feed` with each chunk as it arrives. Raises BodyTooLarge for more than `limit` bytes (before reading
    anything if the announced length exceeds it), Overloaded when the body was abandoned in favour of others, BodyTooSlow, and
    InvalidJson when the chunked encoding is malformed or the client disconnects."""
    content = request.content
    if (request.content_length or 0) > limit:
        raise BodyTooLarge
    if content.is_eof() and content.exception() is None:  # the usual case, handled in a quarter of the time
        body = content.read_nowait()
        if len(body) > limit:
            raise BodyTooLarge
        feed(body)
        return
    with _named_faults(request):
        await _receive_parts(request, memory, sender(request), limit, feed)


@contextmanager
def _named_faults(request: web.Request) -> Iterator[None]:
    """Translate errors caused by the body or the client into the errors that `receive_body` raises."""
    try:
        yield
    except SlowBodyError as error:
        raise BodyTooSlow from error
    except CrowdedOutError as error:
        raise Overloaded from error
    except (HttpProcessingError, web.RequestPayloadError) as error:
        raise InvalidJson from error
    except RuntimeError as error:  # raised by aiohttp when the client disconnected before the body was read
        if request.transport is not None:
            raise
        raise InvalidJson from error


async def _receive_parts(request: web.Request, memory: BodyMemory, sender: Sender, limit: int, feed: Feed) -> None:
    content, size = request.content, 0

    def give_up() -> None:
        content.set_exception(CrowdedOutError())

    with memory.receiving(sender, give_up) as body, waiting_of(request)():
        async for part in content.iter_any():
            size += len(part)
            if size > limit:
                raise BodyTooLarge
            if not content.is_eof():
                body.add(len(part))
            feed(part)
