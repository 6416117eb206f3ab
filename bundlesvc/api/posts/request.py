"""A POST request that the same function answers both on the fast path and in the application."""

from collections.abc import Awaitable, Callable
from functools import partial

from aiohttp import web
from aiohttp.typedefs import Handler

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.app_keys import CALLER, DEADLINE
from bundlesvc.api.bodies.limits import SELECTION_BYTES
from bundlesvc.api.posts.response import PostResponse
from bundlesvc.api.requests.parsing import BodyOrError, path_id, read_body
from bundlesvc.domain.access.caller import Caller
from bundlesvc.immutable import immutable
from bundlesvc.request_deadline import RequestDeadline


@immutable
class PostRequest:
    """An admitted request, whose body has arrived or is yet to be read. `sent` contains the request's method, path and
    headers."""

    app: web.Application
    path_id: int
    caller: Caller
    sent: web.Request | RawRequestMessage
    body: bytes | Callable[[], Awaitable[BodyOrError]]
    deadline: RequestDeadline


Respond = Callable[[PostRequest], Awaitable[bytes | web.StreamResponse]]
"""A function that returns the response to a POST: the body of a 200 that no cache may store, or any other response. Raises the
errors of the request."""


def handler_of(respond: Respond) -> Handler:
    """Create the application's handler for a POST. It raises InvalidRequest and whatever `respond` raises."""

    async def handle(request: web.Request) -> web.StreamResponse:
        body = partial(read_body, request, SELECTION_BYTES)
        content = await respond(
            PostRequest(request.app, path_id(request), request[CALLER], request, body, request[DEADLINE])
        )
        return PostResponse(content) if isinstance(content, bytes) else content

    return handle
