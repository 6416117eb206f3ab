"""The fast path of POSTs: straight from the server to the handler, and out with a ready head.

    a message, parsed by aiohttp
      |
    Posts.answer: a route with `at_once` (price), its body came with its head, and nothing to wait for?  -- yes --> it leaves
      |
    Posts.begin: a route with `with_body` (configure), and its body came with its head?  -- yes --> a task of its own
      |
    Posts.around: a plain POST to a path that the application has answered before?
      |
      |-- no ------------------------------------------> the application: router, layers, handler, CORS
      |                                                                         |
    the gate (the application's own), then the handler                  Posts.learn: the route of the
      |                                                                 path and the head become ready
      |-- an error, or a response with other headers --> the application, which sends it: the gate
      |                                                  finds it in `OUTCOME` and does nothing twice
    ready head + request id, limits, length, date; statistics; log line

Only the router, the layers and the signals are skipped, half of the time of a small request; by `answer` and `begin`, aiohttp's
request and its task, too (docs/performance.md). A price that is not answered at once gets its token back. Nothing of a response
is remembered but its head. `BUNDLESVC_EDGE=0` turns the fast path off; the responses are the same bytes.
"""

import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, NamedTuple

from aiohttp import EMPTY_PAYLOAD, StreamReader, hdrs, web

from bundlesvc.api.aiohttp_internals import RawRequestMessage, arrived, message_of, rfc822_formatted_time, route_to
from bundlesvc.api.app_keys import CALLER, LIMIT, OUTCOME
from bundlesvc.api.endpoint import ENDPOINT_OF
from bundlesvc.api.fast_path.ready_responses import Chunks, ReadyResponse, filled_head, head_pieces, is_plain
from bundlesvc.api.middleware.gate import Gate
from bundlesvc.api.middleware.observation import (
    LIMIT_HEADERS,
    REQUEST_ID_HEADER,
    RequestRecord,
    limit_values,
    request_id_of,
    route_of,
)
from bundlesvc.api.post_response import Posted
from bundlesvc.api.requests.parsing import path_id
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import BundlesvcError
from bundlesvc.domain.rate_limit import BucketState
from bundlesvc.lru import LruMapping
from bundlesvc.request_deadline import RequestDeadline

MAX_PATHS = 10_000
MAX_AT_ONCE = 65_536
"""Bytes of a body that is answered at once: of more aiohttp may have stopped the reading."""

_METHODS = (hdrs.METH_POST,)
_OK = 200

_VARYING = (REQUEST_ID_HEADER, *LIMIT_HEADERS, hdrs.CONTENT_LENGTH, hdrs.DATE, hdrs.ACCESS_CONTROL_ALLOW_ORIGIN)
"""The headers of a response that differ from time to time, in their order; the last is not always there."""

_Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
_AtOnce = Callable[[Caller, bytes], bytes | None]
_WithBody = Callable[[Caller, RawRequestMessage, bytes, RequestDeadline], Awaitable[web.StreamResponse]]


class _Known(NamedTuple):
    """The route of a path, as the router found it, and the head of its responses in pieces. `at_once` and `with_body`
    are those of its endpoint (`api/endpoint.py`), for this path."""

    match: web.UrlMappingMatchInfo
    route: str
    head: tuple[str, ...]
    at_once: _AtOnce | None
    with_body: _WithBody | None


class Unfinished(NamedTuple):
    """A request that was admitted and handled, and whose response the application must make of the outcome."""

    caller: Caller
    limit: BucketState
    outcome: web.StreamResponse | Exception


class Posts:
    """See the picture above. A path is known only as it is written in its route, so there are as many as there are bundles."""

    def __init__(self, gate: Gate, record: RequestRecord) -> None:
        self._gate = gate
        self._record = record
        self._known: LruMapping[tuple[str, bool], _Known] = LruMapping(MAX_PATHS)

    def answer(self, message: RawRequestMessage, payload: StreamReader, remote: str | None) -> Chunks | None:
        """The response, if nothing must be waited for; None to hand the request on."""
        started = time.perf_counter()
        known = self._find(message)
        if known is None or known.at_once is None or not self._has_arrived(payload):
            return None
        admitted = self._admit(message, remote)
        if admitted is None:
            return None
        caller, limit = admitted
        content = _content(known.at_once, caller, payload)
        if content is None:
            self._gate.give_back_now(caller)
            return None
        return (self._write(message, known, caller, limit, content, started),)

    def begin(
        self,
        message: RawRequestMessage,
        payload: StreamReader,
        remote: str | None,
        waiting: Callable[[], AbstractContextManager[None]],
    ) -> Coroutine[Any, Any, Chunks | Unfinished] | None:
        """What handles the request in a task; None to hand the request on. `waiting` as of `RequestDeadline`."""
        known = self._find(message)
        if known is None or known.with_body is None or not self._has_arrived(payload):
            return None
        if self._record.tracing.concerns(message.headers):  # its spans need the application
            return None
        admitted = self._admit(message, remote)
        if admitted is None:
            return None
        handled = known.with_body(admitted[0], message, arrived(payload), self._gate.deadline(waiting))
        return self._finish(message, known, admitted, handled)

    def around(self, application: _Handler) -> _Handler:
        """The application behind the fast path."""

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            known = self._find(message_of(request))
            if known is None or not isinstance(request, web.Request) or OUTCOME in request:
                return await application(request)
            started, statistics = time.perf_counter(), self._record.statistics
            route_to(request, known.match)
            statistics.under_way += 1
            try:
                outcome = await self._outcome(request, known)
                if isinstance(outcome, Posted) and not statistics.draining:
                    message, caller, limit = message_of(request), request[CALLER], request[LIMIT]
                    return ReadyResponse((self._write(message, known, caller, limit, outcome.content, started),))
            finally:
                statistics.under_way -= 1
            request[OUTCOME] = outcome
            return await application(request)

        return handle

    async def learn(self, request: web.Request, response: web.StreamResponse) -> None:
        """Make the route and the head of a response ready. (A handler of `on_response_prepare`: the head is complete.)"""
        message = message_of(request)
        if not isinstance(response, Posted) or request.path != message.path or not is_plain(message, _METHODS):
            return
        has_origin = hdrs.ORIGIN in message.headers
        names = tuple(name for name in response.headers if name in _VARYING)
        if names == (_VARYING if has_origin else _VARYING[:-1]) and isinstance(
            request.match_info, web.UrlMappingMatchInfo
        ):
            head = head_pieces(response, _VARYING)
            self._known[message.path, has_origin] = _known_path(request, request.match_info, head)

    def _find(self, message: RawRequestMessage) -> _Known | None:
        if message.method != hdrs.METH_POST or self._record.statistics.draining:
            return None
        known = self._known.get((message.path, hdrs.ORIGIN in message.headers))
        return known if known is not None and is_plain(message, _METHODS) else None

    def _has_arrived(self, payload: StreamReader) -> bool:
        """Whether the whole body is there, and no larger than the application would accept."""
        return (
            payload is not EMPTY_PAYLOAD
            and payload.is_eof()
            and payload.exception() is None
            and payload.total_bytes <= MAX_AT_ONCE
        )

    def _admit(self, message: RawRequestMessage, remote: str | None) -> tuple[Caller, BucketState] | None:
        """The caller, and its limit after this request; None unless it is admitted without waiting."""
        try:
            caller = self._gate.known_caller(message, remote)
        except BundlesvcError:
            return None
        limit = None if caller is None else self._gate.take_now(caller)
        return None if caller is None or limit is None else (caller, limit)

    async def _finish(
        self,
        message: RawRequestMessage,
        known: _Known,
        admitted: tuple[Caller, BucketState],
        handled: Awaitable[web.StreamResponse],
    ) -> Chunks | Unfinished:
        started, statistics = time.perf_counter(), self._record.statistics
        statistics.under_way += 1
        try:
            outcome = await handled
            if isinstance(outcome, Posted) and not statistics.draining:
                return (self._write(message, known, *admitted, outcome.content, started),)
        except Exception as error:  # noqa: BLE001 - the application raises it again
            return Unfinished(*admitted, error)
        finally:
            statistics.under_way -= 1
        return Unfinished(*admitted, outcome)

    async def _outcome(self, request: web.Request, known: _Known) -> web.StreamResponse | Exception:
        """What the application makes of the request; its layers render errors."""
        try:
            await self._gate.admit(request)
            return await known.match.handler(request)
        except Exception as error:  # noqa: BLE001 - the application raises it again
            return error

    def _write(
        self,
        message: RawRequestMessage,
        known: _Known,
        caller: Caller,
        limit: BucketState,
        content: bytes,
        started: float,
    ) -> bytes:
        headers = message.headers
        request_id, origin = request_id_of(headers.get(REQUEST_ID_HEADER)), headers.get(hdrs.ORIGIN)
        values = (request_id, *limit_values(limit, caller.key), str(len(content)), rfc822_formatted_time())
        head = filled_head(known.head, values if origin is None else (*values, origin))
        self._record.write(request_id, message, known.route, message.path, _OK, caller, started)
        return head + content


def _known_path(request: web.Request, match: web.UrlMappingMatchInfo, head: tuple[str, ...]) -> _Known:
    app, endpoint = request.app, request.app[ENDPOINT_OF].get(match.route)
    at_once, with_body = (endpoint.at_once, endpoint.with_body) if endpoint else (None, None)
    return _Known(
        match,
        route_of(request),
        head,
        None if at_once is None else partial(at_once, app, path_id(request)),
        None if with_body is None else partial(with_body, app, path_id(request)),
    )


def _content(at_once: _AtOnce, caller: Caller, payload: StreamReader) -> bytes | None:
    """The content of the response; None when it has to wait, or is an error, which the application meets again."""
    try:
        return at_once(caller, arrived(payload))
    except Exception:  # noqa: BLE001 - the application reports it
        return None


POSTS = web.AppKey("posts", Posts)


def add_posts(app: web.Application, posts: Posts) -> None:
    """Put the fast path before the application, whose other handlers of `on_response_prepare` are there already."""
    app.on_response_prepare.append(posts.learn)
    app[POSTS] = posts
