"""Answers warm GETs from ready responses.

A ready response leaves only if it is made of what the application would use now: the same entry of the cache of rendered GETs,
for the same shop, revision, languages and coding.
"""

import time
from collections.abc import Iterator, Sequence
from weakref import ref

from aiohttp import StreamReader, hdrs, web
from prometheus_client import Metric

from bundlesvc.api.aiohttp_internals import RawRequestMessage, message_of
from bundlesvc.api.app_keys import CALLER, SHARED
from bundlesvc.api.cors import embed_path
from bundlesvc.api.counting.statistics import RequestStatistics
from bundlesvc.api.exposures import EXPOSURE, Listener
from bundlesvc.api.fast_path.known_heads import PlainGet
from bundlesvc.api.fast_path.known_offers import Choices, KnownOffers
from bundlesvc.api.fast_path.plain_requests import is_plain, path_of
from bundlesvc.api.fast_path.ready_responses import MAX_BYTES, USE_SECONDS, Ready, ReadyKey, ReadyTable
from bundlesvc.api.fast_path.replies import Reply, head_of
from bundlesvc.api.middleware.observation import LIMIT_HEADERS, REQUEST_ID_HEADER
from bundlesvc.api.negotiation.accept_language import OFFERS
from bundlesvc.api.negotiation.compression import codings_by_preference
from bundlesvc.api.response_cache.cache import RenderedGets
from bundlesvc.api.response_cache.entry import SOURCE, Entry, names_tag
from bundlesvc.api.response_cache.origins import FORWARDED_PROTO
from bundlesvc.domain.access.caller import Caller
from bundlesvc.metrics.families import HIT, MISS, cache_bytes, cache_reads

_METHODS = (hdrs.METH_GET, hdrs.METH_HEAD)
_STATUSES = _NOT_MODIFIED, _OK = 304, 200

_OWN = (REQUEST_ID_HEADER, *LIMIT_HEADERS)
_VARYING = (hdrs.AGE, *_OWN, hdrs.DATE, hdrs.ACCESS_CONTROL_ALLOW_ORIGIN)
"""The headers of a ready response that differ from time to time, in their order. The first and the last are not always there,
and those of `_OWN` not in a response that a CDN may cache."""


class ReadyGets:
    """Ready responses to GETs, and how requests find them. `listeners` take the exposures of visitors to A/B tests."""

    def __init__(
        self,
        rendered: RenderedGets,
        statistics: RequestStatistics,
        base_path: str,
        max_bytes: int = MAX_BYTES,
        listeners: Sequence[Listener] = (),
    ) -> None:
        self._rendered = rendered
        self._listeners = listeners
        self._statistics = statistics
        self._below_base = f"{base_path}/"
        self._embed = f"{embed_path(base_path)}/"
        self._with_origin = (f"{base_path}/bundles?", f"{embed_path(base_path)}/bundle/html?")
        self._table = ReadyTable(max_bytes)
        self._offers = KnownOffers()
        rendered.when_dropped = self._table.drop_entry
        self._hits = self._misses = 0

    def recognise(self, message: RawRequestMessage, _: StreamReader) -> PlainGet | None:
        """Read a request without a body; None for one that is not for here."""
        path = path_of(message)
        if not path.startswith(self._below_base) or "%" in path or not is_plain(message, _METHODS):
            return None
        return PlainGet(message, path, message.headers.get(hdrs.ORIGIN))

    def answer(self, get: PlainGet, caller: Caller, now: float) -> Reply | None:
        """The ready response, if there is one. `now` is a time of `time.perf_counter`."""
        if self._statistics.draining:
            ready = None
        else:
            ready = (self._last(get, caller, now) if get.ready else None) or self._find(get, caller, now)
        if ready is None:
            self._misses += 1
            return None
        self._hits += 1
        if ready.exposure is not None:
            for listener in self._listeners:
                listener(caller, ready.exposure)
        if ready.entry.age:
            return ready.reply._replace(before=(self._rendered.age(ready.entry),))
        return ready.reply

    def learn(self, request: web.Request, response: web.StreamResponse) -> None:
        """Make a response of the application ready, if its head is complete and it depends on nothing but its key."""
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
        if key[2].origin and not message.path.startswith(self._with_origin):
            return
        if self._rendered.current(key) is not entry:
            return
        body = getattr(response, "body", None) if response.status == _OK and message.method == hdrs.METH_GET else b""
        shared = SHARED in request
        if names == _varying(entry, message, shared=shared) and isinstance(body, bytes):
            reply = Reply(head_of(request, response, _VARYING, shared=shared), body)
            ready = Ready(reply, key, entry, exposure=request.get(EXPOSURE))
            self._table.put(self._key(message, caller, response.status, languages), ready, time.perf_counter())

    def expire(self) -> None:
        """Drop the ready responses and offers that nobody used for long. Call it once a second."""
        self._table.expire(time.perf_counter())
        self._offers.expire()

    def collect(self, heads_size: int) -> Iterator[Metric]:
        """The metrics of this part, for prometheus_client. Known heads count as part of it: they take `heads_size` bytes."""
        yield cache_reads("ready", {("response", HIT): self._hits, ("response", MISS): self._misses})
        yield cache_bytes("ready", self._table.size + self._offers.size + heads_size)

    def _last(self, get: PlainGet, caller: Caller, now: float) -> Ready | None:
        """The response that the caller got last for the same head, if it is still current."""
        if get.ready is None or get.caller is not caller:
            return None
        ready = get.ready()
        if ready is None or (ready.entry.lifetime is None and now - ready.used_at < USE_SECONDS):
            return ready
        return ready if self._is_current(ready, caller, now) else None

    def _find(self, get: PlainGet, caller: Caller, now: float) -> Ready | None:
        """The ready response, found in the table."""
        message = get.message
        languages = self._languages(message, caller) if get.path.startswith(self._embed) else ()
        if languages is None:
            return None
        if_none_match = message.headers.get(hdrs.IF_NONE_MATCH)
        for status in (_OK,) if if_none_match is None else _STATUSES:
            key = self._key(message, caller, status, languages)
            ready = self._table.get(key)
            if ready is None:
                continue
            if not self._is_current(ready, caller, now):
                self._table.drop(key)
            elif if_none_match is None or names_tag(if_none_match, ready.entry.tag) == (status == _NOT_MODIFIED):
                if get.known:
                    get.caller, get.ready = caller, ref(ready)
                return ready
        return None

    def _is_current(self, ready: Ready, caller: Caller, now: float) -> bool:
        """Whether the application would use the same entry now. Its key holds the shop's version. An entry that is replaced or
        dropped takes its ready responses with it; only its age, and that it is used, is looked at, the latter now and then."""
        if ready.key[1] != caller.tenant.version:
            return False
        if ready.entry.lifetime is not None or now - ready.used_at >= USE_SECONDS:
            if self._rendered.current(ready.key) is not ready.entry:
                return False
            self._table.use(ready, now)
        return True

    def _languages(self, message: RawRequestMessage, caller: Caller) -> Choices | None:
        """The languages of a response of the embed API; None when they are not known."""
        return self._offers.choices(message.path, caller.tenant, message.headers.get(hdrs.ACCEPT_LANGUAGE, ""))

    def _learn_languages(self, request: web.Request, message: RawRequestMessage, caller: Caller) -> Choices | None:
        """The languages of this response, as `_languages` will find them; None when it will not."""
        if OFFERS in request and message.path.startswith(self._embed):
            header = message.headers.get(hdrs.ACCEPT_LANGUAGE, "")
            self._offers.learn(message.path, caller.tenant, header, request[OFFERS])
            return self._languages(message, caller)
        return None

    def _origin(self, message: RawRequestMessage) -> tuple[str | None, str | None] | None:
        """What the addresses of images in lists and HTML depend on (`response_cache/origins.py`)."""
        return message.headers.get(hdrs.HOST), message.headers.get(FORWARDED_PROTO)

    def _key(self, message: RawRequestMessage, caller: Caller, status: int, languages: Choices) -> ReadyKey:
        """All that a response depends on besides the varying headers."""
        headers, path, codings = message.headers, message.path, message.headers.get(hdrs.ACCEPT_ENCODING)
        return (
            path,
            message.method,
            caller.tenant.id,
            caller.key.test,
            hdrs.ORIGIN in headers,
            codings_by_preference(codings) if codings else (),
            languages,
            status,
            self._origin(message) if path.startswith(self._with_origin) else None,
        )


def _varying(entry: Entry, message: RawRequestMessage, *, shared: bool) -> tuple[str, ...]:
    """The varying headers of a response, in their order."""
    names = _VARYING[0 if entry.age else 1 : None if hdrs.ORIGIN in message.headers else -1]
    return tuple(name for name in names if name not in _OWN) if shared else names
