"""Answers POST requests on the fast path, if the application has already answered a request to the same URL path. Each response
consists of a cached, serialised head and the result of the endpoint's function.

Only heads are cached, never bodies. A path is cached only if it is spelled exactly as in its route, so each endpoint has at most
one cached path per bundle.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from aiohttp import EMPTY_PAYLOAD, StreamReader, hdrs, web

from bundlesvc.api.aiohttp_internals import RawRequestMessage, message_of
from bundlesvc.api.endpoint import ENDPOINT_OF
from bundlesvc.api.fast_path.head_cache import PlainPost
from bundlesvc.api.fast_path.plain_requests import is_plain
from bundlesvc.api.fast_path.raw_responses import HeadTemplate, RawResponse, head_template
from bundlesvc.api.middleware.observation import LIMIT_HEADERS, REQUEST_ID_HEADER, RequestRecord
from bundlesvc.api.posts.request import PostRequest, Respond
from bundlesvc.api.posts.response import PostResponse
from bundlesvc.api.requests.parsing import path_id
from bundlesvc.domain.access.caller import Caller
from bundlesvc.lru import LruMapping
from bundlesvc.request_deadline import RequestDeadline

MAX_PATHS = 10_000
MAX_BODY_BYTES = 65_536
"""The maximum size of a body on the fast path, in bytes. While a larger body arrives, aiohttp may pause reading."""

_METHODS = (hdrs.METH_POST,)

_VARYING = (REQUEST_ID_HEADER, *LIMIT_HEADERS, hdrs.CONTENT_LENGTH, hdrs.DATE, hdrs.ACCESS_CONTROL_ALLOW_ORIGIN)
"""The response headers whose values vary, in the order in which they are sent. The last one is not always present."""

_Waiting = Callable[[], AbstractContextManager[None]]


class PostRoute(NamedTuple):
    """A known path: the function of its endpoint, whether it writes, the id in the path, and the head of its responses."""

    app: web.Application
    respond: Respond
    writes: bool
    path_id: int
    head: HeadTemplate


class PostResponder:
    """Answers POST requests to paths where the application has answered before. `deadline_of` creates the deadline of a
    request."""

    def __init__(self, record: RequestRecord, deadline_of: Callable[[_Waiting], RequestDeadline]) -> None:
        self._record = record
        self._deadline_of = deadline_of
        self._known: LruMapping[tuple[str, bool], PostRoute] = LruMapping(MAX_PATHS)

    def recognise(self, message: RawRequestMessage, payload: StreamReader) -> PlainPost | None:
        """Recognise a request whose body arrived together with its head. Returns None when the request cannot be answered
        here."""
        if message.method != hdrs.METH_POST or not is_plain(message, _METHODS) or not _has_arrived(payload):
            return None
        if self._record.tracing.concerns(message.headers):  # only the application records spans
            return None
        return PlainPost(message.path, message.headers.get(hdrs.ORIGIN), payload.total_bytes)

    def find(self, post: PlainPost) -> PostRoute | None:
        """Look up the path of a request. Returns None when only the application can answer."""
        return self._known.get((post.path, post.origin is not None))

    async def respond(
        self, known: PostRoute, message: RawRequestMessage, body: bytes, waiting: _Waiting, caller: Caller
    ) -> RawResponse | web.StreamResponse:
        """Call the path's endpoint and return its response. Raises whatever the endpoint raises."""
        request = PostRequest(known.app, known.path_id, caller, message, body, self._deadline_of(waiting))
        content = await known.respond(request)
        if not isinstance(content, bytes):
            return content
        if self._record.statistics.draining:
            return PostResponse(content)
        return RawResponse(known.head, content, after=(str(len(content)),))

    def learn(self, request: web.Request, response: web.StreamResponse) -> None:
        """Cache the route of a request that the application has answered and the head of the response, unless the head is
        incomplete."""
        message = message_of(request)
        if not isinstance(response, PostResponse) or request.path != message.path or not is_plain(message, _METHODS):
            return
        has_origin = hdrs.ORIGIN in message.headers
        names = tuple(name for name in response.headers if name in _VARYING)
        endpoint = request.app[ENDPOINT_OF].get(request.match_info.route)
        if endpoint is None or endpoint.respond is None or names != (_VARYING if has_origin else _VARYING[:-1]):
            return
        head = head_template(request, response, _VARYING)
        self._known[message.path, has_origin] = PostRoute(
            request.app, endpoint.respond, endpoint.writes, path_id(request), head
        )


def _has_arrived(payload: StreamReader) -> bool:
    """Whether the whole body has arrived and is no larger than the application accepts."""
    return (
        payload is not EMPTY_PAYLOAD
        and payload.is_eof()
        and payload.exception() is None
        and payload.total_bytes <= MAX_BODY_BYTES
    )
