"""Answers GETs whose response is already serialised.

A serialised response is sent only if the application would now build it from the same data: the same entry of the response cache,
for the same shop, revision, languages and content coding.
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
from bundlesvc.api.fast_path.head_cache import PlainGet
from bundlesvc.api.fast_path.path_languages import Choices, PathLanguages
from bundlesvc.api.fast_path.plain_requests import is_plain, path_of
from bundlesvc.api.fast_path.raw_responses import RawResponse, head_template
from bundlesvc.api.fast_path.serialized_responses import (
    MAX_BYTES,
    USE_SECONDS,
    ResponseKey,
    SerializedResponse,
    SerializedResponses,
)
from bundlesvc.api.middleware.observation import LIMIT_HEADERS, REQUEST_ID_HEADER
from bundlesvc.api.negotiation.accept_language import AVAILABLE_LANGUAGES
from bundlesvc.api.negotiation.compression import codings_by_preference
from bundlesvc.api.response_cache.cache import ResponseCache
from bundlesvc.api.response_cache.entry import SOURCE, Entry, names_tag
from bundlesvc.api.response_cache.own_address import FORWARDED_PROTO
from bundlesvc.domain.access.caller import Caller
from bundlesvc.metrics.families import HIT, MISS, cache_bytes, cache_reads

_METHODS = (hdrs.METH_GET, hdrs.METH_HEAD)
_STATUSES = _NOT_MODIFIED, _OK = 304, 200

_OWN = (REQUEST_ID_HEADER, *LIMIT_HEADERS)
_VARYING = (hdrs.AGE, *_OWN, hdrs.DATE, hdrs.ACCESS_CONTROL_ALLOW_ORIGIN)
"""The headers of a serialised response that vary, in the order in which they are sent. The first and the last are not always
present, and those of `_OWN` are missing in a response that a CDN may cache."""


class GetResponder:
    """Answers GETs from serialised responses, and stores these responses. `listeners` are called whenever a response shows a
    visitor one arm of an A/B test."""

    def __init__(
        self,
        cache: ResponseCache,
        statistics: RequestStatistics,
        base_path: str,
        max_bytes: int = MAX_BYTES,
        listeners: Sequence[Listener] = (),
    ) -> None:
        self._cache = cache
        self._listeners = listeners
        self._statistics = statistics
        self._below_base = f"{base_path}/"
        self._embed = f"{embed_path(base_path)}/"
        self._with_origin = (f"{base_path}/bundles?", f"{embed_path(base_path)}/bundle/html?")
        self._table = SerializedResponses(max_bytes)
        self._path_languages = PathLanguages()
        cache.when_dropped = self._table.drop_entry
        self._hits = self._misses = 0

    def recognise(self, message: RawRequestMessage, _: StreamReader) -> PlainGet | None:
        """Recognise a request that has no body and may be answered on the fast path. Returns None for any other request."""
        path = path_of(message)
        if not path.startswith(self._below_base) or "%" in path or not is_plain(message, _METHODS):
            return None
        return PlainGet(message, path, message.headers.get(hdrs.ORIGIN))

    def respond(self, get: PlainGet, caller: Caller, now: float) -> RawResponse | None:
        """Return the serialised response, or None if there is none. `now` is a reading of `time.perf_counter()`."""
        if self._statistics.draining:
            serialized = None
        else:
            serialized = (self._last(get, caller, now) if get.last else None) or self._find(get, caller, now)
        if serialized is None:
            self._misses += 1
            return None
        self._hits += 1
        if serialized.exposure is not None:
            for listener in self._listeners:
                listener(caller, serialized.exposure)
        if serialized.entry.age:
            return serialized.raw._replace(before=(self._cache.age(serialized.entry),))
        return serialized.raw

    def learn(self, request: web.Request, response: web.StreamResponse) -> None:
        """Serialise a response from the application for later requests, if its head is complete and the key covers everything
        that the response depends on."""
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
        if self._cache.current(key) is not entry:
            return
        body = getattr(response, "body", None) if response.status == _OK and message.method == hdrs.METH_GET else b""
        shared = SHARED in request
        if names == _varying(entry, message, shared=shared) and isinstance(body, bytes):
            raw = RawResponse(head_template(request, response, _VARYING, shared=shared), body)
            serialized = SerializedResponse(raw, key, entry, exposure=request.get(EXPOSURE))
            self._table.put(self._key(message, caller, response.status, languages), serialized, time.perf_counter())

    def expire(self) -> None:
        """Drop the serialised responses and languages that have not been used for a long time. Call it once a second."""
        self._table.expire(time.perf_counter())
        self._path_languages.expire()

    def collect(self, heads_size: int) -> Iterator[Metric]:
        """Yield the metrics of the fast path for GETs (the collector interface of prometheus_client). The memory metric includes
        `heads_size`, the size of the cached request heads in bytes."""
        yield cache_reads("ready", {("response", HIT): self._hits, ("response", MISS): self._misses})
        yield cache_bytes("ready", self._table.size + self._path_languages.size + heads_size)

    def _last(self, get: PlainGet, caller: Caller, now: float) -> SerializedResponse | None:
        """Return the response that the caller last got for the same request head, if it is still current."""
        if get.last is None or get.caller is not caller:
            return None
        serialized = get.last()
        if serialized is None or (serialized.entry.lifetime is None and now - serialized.used_at < USE_SECONDS):
            return serialized
        return serialized if self._is_current(serialized, caller, now) else None

    def _find(self, get: PlainGet, caller: Caller, now: float) -> SerializedResponse | None:
        """Look up the serialised response in the table."""
        message = get.message
        languages = self._languages(message, caller) if get.path.startswith(self._embed) else ()
        if languages is None:
            return None
        if_none_match = message.headers.get(hdrs.IF_NONE_MATCH)
        for status in (_OK,) if if_none_match is None else _STATUSES:
            key = self._key(message, caller, status, languages)
            serialized = self._table.get(key)
            if serialized is None:
                continue
            if not self._is_current(serialized, caller, now):
                self._table.drop(key)
            elif if_none_match is None or names_tag(if_none_match, serialized.entry.tag) == (status == _NOT_MODIFIED):
                if get.known:
                    get.caller, get.last = caller, ref(serialized)
                return serialized
        return None

    def _is_current(self, serialized: SerializedResponse, caller: Caller, now: float) -> bool:
        """Whether the application would use the same cache entry now. This depends on the shop's version, which is part of the
        key, and on the entry's age; when an entry is replaced or dropped, its serialised responses are dropped with it. Also
        records the use of the response from time to time."""
        if serialized.key[1] != caller.tenant.version:
            return False
        if serialized.entry.lifetime is not None or now - serialized.used_at >= USE_SECONDS:
            if self._cache.current(serialized.key) is not serialized.entry:
                return False
            self._table.use(serialized, now)
        return True

    def _languages(self, message: RawRequestMessage, caller: Caller) -> Choices | None:
        """Return the languages of an embed API response, or None when they are not known."""
        return self._path_languages.choices(message.path, caller.tenant, message.headers.get(hdrs.ACCEPT_LANGUAGE, ""))

    def _learn_languages(self, request: web.Request, message: RawRequestMessage, caller: Caller) -> Choices | None:
        """Record the languages in which the response to this request is available, and return what `_languages` will now return
        for the same request."""
        if AVAILABLE_LANGUAGES in request and message.path.startswith(self._embed):
            header = message.headers.get(hdrs.ACCEPT_LANGUAGE, "")
            self._path_languages.learn(message.path, caller.tenant, header, request[AVAILABLE_LANGUAGES])
            return self._languages(message, caller)
        return None

    def _origin(self, message: RawRequestMessage) -> tuple[str | None, str | None] | None:
        """Return the headers that determine image URLs in lists and HTML (`response_cache/own_address.py`)."""
        return message.headers.get(hdrs.HOST), message.headers.get(FORWARDED_PROTO)

    def _key(self, message: RawRequestMessage, caller: Caller, status: int, languages: Choices) -> ResponseKey:
        """Build the key of a response: everything that determines the response, except for its varying headers."""
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
    """Return the names of a response's varying headers, in order."""
    names = _VARYING[0 if entry.age else 1 : None if hdrs.ORIGIN in message.headers else -1]
    return tuple(name for name in names if name not in _OWN) if shared else names
