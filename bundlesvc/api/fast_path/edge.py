"""The edge: it answers warm GETs before the application, from ready bytes.

    bytes of a client
      |
    Connection (connection.py): aiohttp's parser makes messages of them
      |
    Edge.find: a plain GET or HEAD? its key known? a ready response for it, made of what the
      |        application would use now? the key's scope, its shop, the page's origin in order?
      |
      |-- no, or in doubt ---------------------------> the application: gate, handler, RenderedGets
      |                                                                            |
    one token of the key's bucket, and of the visitor's                            |
      |                                                                            |
      |-- there is none -----------------------------> the application             |
      |                                                                            |
    Edge.write: ready head + request id, limits, date; statistics; log line   Edge.learn: the response
      |                                                                       that goes out becomes ready
    writelines(head, body)

A ready response leaves only if the same checks, in the same order, would have let it through the application. They are the
same functions, and have no effect before the token is taken: a request can be handed on until then. `BUNDLESVC_EDGE=0`
turns the edge off; the responses are the same bytes.
"""

import time
from collections.abc import Awaitable, Callable, Iterator

from aiohttp import EMPTY_PAYLOAD, hdrs, web
from prometheus_client import Metric

from bundlesvc.api.accept_language import OFFERS
from bundlesvc.api.aiohttp_internals import RawRequestMessage, message_of, rfc822_formatted_time
from bundlesvc.api.app_keys import CALLER, SHARED
from bundlesvc.api.compression import codings_by_preference
from bundlesvc.api.cors import embed_path
from bundlesvc.api.fast_path.known_offers import Choices, KnownOffers
from bundlesvc.api.fast_path.ready_responses import (
    MAX_BYTES,
    Chunks,
    Ready,
    ReadyKey,
    ReadyResponse,
    ReadyTable,
    filled_head,
    head_pieces,
    is_plain,
)
from bundlesvc.api.get_cache import SOURCE, Entry, EntryKey, RenderedGets, names_tag
from bundlesvc.api.middleware.gate import Visitors
from bundlesvc.api.middleware.observation import (
    LIMIT_HEADERS,
    REQUEST_ID_HEADER,
    RequestRecord,
    limit_values,
    request_id_of,
    route_of,
)
from bundlesvc.api.own_address import FORWARDED_PROTO
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import EMBED, HEADLESS
from bundlesvc.domain.errors import BundlesvcError
from bundlesvc.domain.rate_limit import BucketState
from bundlesvc.metrics.families import HIT, MISS, cache_bytes, cache_reads
from bundlesvc.services.authentication import Authentication
from bundlesvc.services.rate_limits import RequestLimit

_METHODS = (hdrs.METH_GET, hdrs.METH_HEAD)
_STATUSES = _NOT_MODIFIED, _OK = 304, 200

_OWN = (REQUEST_ID_HEADER, *LIMIT_HEADERS)
_VARYING = (hdrs.AGE, *_OWN, hdrs.DATE, hdrs.ACCESS_CONTROL_ALLOW_ORIGIN)
"""The headers of a ready response that differ from time to time, in their order. The first and the last are not always there,
and those of `_OWN` not in a response that a CDN may cache."""


_Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class Edge:
    """See the picture above."""

    def __init__(
        self,
        authentication: Authentication,
        visitors: Visitors,
        request_limit: RequestLimit,
        rendered: RenderedGets,
        record: RequestRecord,
        base_path: str,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._authentication = authentication
        self._visitors = visitors
        self._limit = request_limit
        self._rendered = rendered
        self._record = record
        self._embed = f"{embed_path(base_path)}/"
        self._lists = f"{base_path}/bundles?"
        self._table = ReadyTable(max_bytes)
        self._offers = KnownOffers()
        rendered.when_dropped = self._drop_entry
        self._hits = self._misses = 0
        self.waits = request_limit.waits
        """Whether some requests need `around`, because their tokens must be waited for."""

    def answer(self, message: RawRequestMessage, remote: str | None) -> Chunks | None:
        """The response to a request without a body, if nothing must be waited for; None to hand it on."""
        started = time.perf_counter()
        found = self._find(message, remote, started)
        if found is None:
            return None
        limit = self._limit.take_now(found[0])
        return self._write(message, *found, limit, started) if limit is not None and limit.allowed else None

    def around(self, application: _Handler) -> _Handler:
        """The application behind an edge that waits for tokens. It comes after `answer`."""

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            started = time.perf_counter()
            message = message_of(request)
            found = self._find(message, request.remote, started) if request.content is EMPTY_PAYLOAD else None
            if found is None:
                return await application(request)
            caller, ready = found
            statistics = self._record.statistics
            statistics.under_way += 1
            try:
                limit = await self._limit.take(caller)
                if limit.allowed and not statistics.draining and self._is_current(ready, caller):
                    return ReadyResponse(self._write(message, caller, ready, limit, started))
                if limit.allowed:  # it changed while the edge waited
                    await self._limit.give_back(caller)
            finally:
                statistics.under_way -= 1
            return await application(request)

        return handle

    async def learn(self, request: web.Request, response: web.StreamResponse) -> None:
        """Make a response of the application ready. (The last handler of `on_response_prepare`: the head is complete.)"""
        message = message_of(request)
        if SOURCE not in request or response.status not in _STATUSES or not is_plain(message, _METHODS):
            return
        key, entry = request[SOURCE]
        caller = request[CALLER]
        names = tuple(name for name in response.headers if name in _VARYING)
        reads_language = hdrs.ACCEPT_LANGUAGE in response.headers[hdrs.VARY]
        languages = self._learn_languages(request, message, caller) if reads_language else ()
        if languages is None:
            return
        if key[2].origin and self._origin(message) is None:
            return
        if self._rendered.current(key) is not entry:
            return
        body = getattr(response, "body", None) if response.status == _OK and message.method == hdrs.METH_GET else b""
        shared = SHARED in request
        if names == _varying(entry, message, shared=shared) and isinstance(body, bytes):
            scope = EMBED if request.path.startswith(self._embed) else HEADLESS
            head = head_pieces(response, _VARYING)
            ready = Ready(head, body, response.status, key, entry, scope, route_of(request), request.path, shared)
            self._table.put(self._key(message, caller, response.status, languages), ready, time.perf_counter())

    def expire(self) -> None:
        """Drop the ready responses and offers that nobody used for long. Call it once a second."""
        self._table.expire(time.perf_counter())
        self._offers.expire()

    def _drop_entry(self, key: EntryKey) -> None:
        self._table.drop_entry(key)

    def collect(self) -> Iterator[Metric]:
        """The metrics of this part, for prometheus_client."""
        yield cache_reads("ready", {("response", HIT): self._hits, ("response", MISS): self._misses})
        yield cache_bytes("ready", self._table.size + self._offers.size)

    def _find(self, message: RawRequestMessage, remote: str | None, now: float) -> tuple[Caller, Ready] | None:
        """Who sends the request, and the ready response that would leave if a token were there."""
        headers = message.headers
        if self._record.statistics.draining or not is_plain(message, _METHODS):
            return None
        caller = self._authentication.known(headers.get(hdrs.AUTHORIZATION))
        if caller is None:
            return None
        ready = self._ready(message, caller, now)
        if ready is None:
            return None
        if caller.key.visitor_limit is not None:
            caller = caller.coming_from(self._visitors.of(remote, headers))
        try:
            caller.admit(ready.scope, headers.get(hdrs.ORIGIN))
        except BundlesvcError:
            return None
        return caller, ready

    def _ready(self, message: RawRequestMessage, caller: Caller, now: float) -> Ready | None:
        languages, if_none_match = self._languages(message, caller), message.headers.get(hdrs.IF_NONE_MATCH)
        if languages is None:
            self._misses += 1
            return None
        for status in (_OK,) if if_none_match is None else _STATUSES:
            key = self._key(message, caller, status, languages)
            ready = self._table.get(key, now)
            if ready is None:
                continue
            if not self._is_current(ready, caller):
                self._table.drop(key)
            elif if_none_match is None or names_tag(if_none_match, ready.entry.tag) == (status == _NOT_MODIFIED):
                return ready
        self._misses += 1
        return None

    def _is_current(self, ready: Ready, caller: Caller) -> bool:
        """Whether the application would use the same entry now. (Its key holds the shop's revision.)"""
        return ready.key[1] == caller.tenant.revision and self._rendered.current(ready.key) is ready.entry

    def _write(
        self, message: RawRequestMessage, caller: Caller, ready: Ready, limit: BucketState, started: float
    ) -> Chunks:
        self._hits += 1
        headers = message.headers
        request_id, origin = request_id_of(headers.get(REQUEST_ID_HEADER)), headers.get(hdrs.ORIGIN)
        age = (self._rendered.age(ready.entry),) if ready.entry.age else ()
        own = () if ready.shared else (request_id, *limit_values(limit, caller.key))
        values = (*age, *own, rfc822_formatted_time())
        head = filled_head(ready.head, values if origin is None else (*values, origin))
        self._record.write(request_id, message, ready.route, ready.path, ready.status, caller, started)
        return (head, ready.body) if ready.body else (head,)

    def _languages(self, message: RawRequestMessage, caller: Caller) -> Choices | None:
        """The languages of the response, none where the header is not read; None when they are not known."""
        if not message.path.startswith(self._embed):
            return ()
        return self._offers.choices(message.path, caller.tenant, message.headers.get(hdrs.ACCEPT_LANGUAGE, ""))

    def _learn_languages(self, request: web.Request, message: RawRequestMessage, caller: Caller) -> Choices | None:
        """The languages of this response, as `_languages` will find them; None when it will not."""
        if OFFERS in request and message.path.startswith(self._embed):
            header = message.headers.get(hdrs.ACCEPT_LANGUAGE, "")
            self._offers.learn(message.path, caller.tenant, header, request[OFFERS])
            return self._languages(message, caller)
        return None

    def _origin(self, message: RawRequestMessage) -> tuple[str | None, str | None] | None:
        """What the addresses of images in a list depend on (`origins.py`); None where there are none."""
        if not message.path.startswith(self._lists):
            return None
        return message.headers.get(hdrs.HOST), message.headers.get(FORWARDED_PROTO)

    def _key(self, message: RawRequestMessage, caller: Caller, status: int, languages: Choices) -> ReadyKey:
        """All that a response depends on besides the varying headers."""
        headers, tenant, origin = message.headers, caller.tenant, self._origin(message)
        codings = codings_by_preference(headers.get(hdrs.ACCEPT_ENCODING))
        varying = hdrs.ORIGIN in headers, codings, languages, status
        own = (message.path, message.method, tenant.id, caller.key.test, *varying)
        return own if origin is None else (*own, origin)


EDGE = web.AppKey("edge", Edge)


def add_edge(app: web.Application, edge: Edge) -> None:
    """Put the edge before the application, whose other handlers of `on_response_prepare` are there already."""
    app.on_response_prepare.append(edge.learn)
    app[EDGE] = edge


def _varying(entry: Entry, message: RawRequestMessage, *, shared: bool) -> tuple[str, ...]:
    """The varying headers of a response, in their order."""
    names = _VARYING[0 if entry.age else 1 : None if hdrs.ORIGIN in message.headers else -1]
    return tuple(name for name in names if name not in _OWN) if shared else names
