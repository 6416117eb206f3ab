"""The rendered responses to GET requests, as bytes, with their ETags (docs/contract.md#http-caching). A cache hit needs neither
the database nor the serialiser.

Every GET request to either API passes through `ResponseCache.respond`. An entry is stored under the shop's version, so it is no
longer found once the shop's data has changed or the shop's next phase has begun. It also expires together with the platform data
that it contains.
"""

import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from aiohttp import web
from multidict import CIMultiDict
from prometheus_client import Metric

from bundlesvc.api.negotiation.compression import compressed_forms
from bundlesvc.api.response_cache.entry import SOURCE, Entry, EntryKey, Form, Html, RenderKey
from bundlesvc.api.response_cache.freshness import Freshness
from bundlesvc.compact_json import compact_json
from bundlesvc.domain.live_platform.platform_change import Change
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.lru import LruMapping
from bundlesvc.metrics.families import HIT, MISS, cache_bytes, cache_reads
from bundlesvc.ports import Clock
from bundlesvc.single_flight import SingleFlight

MAX_BYTES = 64 * 1024 * 1024

IDLE_PERIODS = 10
"""The number of full periods after which an unused entry is dropped. Each call of `expire` ends a period."""

LIVE_LIFETIME = 60.0
"""Seconds for which a response of a shop on a live platform is cached when the data in it has no lifetime. The limit is needed
because a change on the platform does not change the revision of the shop."""

_JSON = {"Content-Type": "application/json; charset=utf-8"}
_HTML = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'; sandbox"}
"""The headers for HTML, which shops embed in their pages. When the HTML is opened at the service's own origin, it loads and runs
nothing."""


class ResponseCache:
    """The cache of rendered responses to GET requests. It evicts the least recently used entries when the total size exceeds
    `max_bytes`, and always evicts entries that have not been used for `IDLE_PERIODS` periods."""

    def __init__(self, clock: Clock, max_bytes: int = MAX_BYTES) -> None:
        self._clock = clock
        self._drops: Counter[int] = Counter()
        self._entries: LruMapping[EntryKey, Entry] = LruMapping(
            max_bytes, lambda _, entry: entry.size, self._report_dropped
        )
        self.when_dropped: Callable[[EntryKey], None] | None = None
        """Called with the key of each entry that is replaced or dropped."""
        self._rendering: SingleFlight[EntryKey, Entry] = SingleFlight()
        self._reads: Counter[tuple[str, str]] = Counter()

    async def respond(
        self,
        request: web.Request,
        tenant: Tenant,
        render_key: RenderKey,
        freshness: Freshness,
        render: Callable[[], Awaitable[Reading[object]]],
    ) -> web.Response:
        """Respond to a GET with cached bytes, or render them. Raises whatever `render` raises, in which case nothing is
        cached."""
        key = (tenant.id, tenant.version, render_key)
        now = self._clock.monotonic()
        entry = self._entries.get(key)
        if entry is not None and entry.fresh(now):
            self._reads[render_key.route, HIT] += 1
            request[SOURCE] = key, entry
            return entry.response(request, now)
        self._reads[render_key.route, MISS] += 1
        entry = await self._rendering.join(key, partial(self._make, key, tenant, freshness, render))
        request[SOURCE] = key, entry
        return entry.response(request, self._clock.monotonic())

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the cache (the collector interface of prometheus_client)."""
        yield cache_reads("rendered", self._reads)
        yield cache_bytes("rendered", self._entries.total)

    def expire(self) -> int:
        """Drop entries that have not been used for `IDLE_PERIODS` periods, and return the number of bytes freed. Each call ends a
        period."""
        before = self._entries.total
        self._entries.end_period(IDLE_PERIODS)
        return before - self._entries.total

    def current(self, key: EntryKey) -> Entry | None:
        """Return the entry that `respond` could use now without rendering, or None if there is no such entry."""
        entry = self._entries.get(key)
        if entry is None or entry.lifetime is None:  # most entries live as long as the revision, and need no clock
            return entry
        return entry if entry.fresh(self._clock.monotonic()) else None

    def _report_dropped(self, key: EntryKey) -> None:
        if self.when_dropped is not None:
            self.when_dropped(key)

    def age(self, entry: Entry) -> str:
        """Return the current value of the `Age` header for this entry."""
        return entry.age_at(self._clock.monotonic())

    def respond_uncached(
        self, request: web.Request, tenant: Tenant, value: object, freshness: Freshness
    ) -> web.Response:
        """Respond to a GET whose response depends on more than the shop's revision. The response has an ETag, but is not stored
        in this cache."""
        now = self._clock.monotonic()
        return self._render(Reading(value), freshness.header(tenant.phase), now).response(request, now)

    async def respond_no_store(
        self, request: web.Request, render: Callable[[], Awaitable[Reading[object]]]
    ) -> web.Response:
        """Respond to a GET without the cache: no entry is read or stored, and no other cache may store the response. Raises
        whatever `render` raises."""
        reading = await render()
        now = self._clock.monotonic()
        return self._render(reading, "no-store", now, brotli_quality=1, gzip_level=1).response(request, now)

    async def drop(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        """Drop the shop's entries (the `PlatformCache` port). They will be rendered again from the cached platform data."""
        self._drops[tenant.id] += 1
        for key in [key for key in self._entries if key[0] == tenant.id]:
            del self._entries[key]
        self._rendering.forget(key for key in self._rendering if key[0] == tenant.id)

    async def _make(
        self, key: EntryKey, tenant: Tenant, freshness: Freshness, render: Callable[[], Awaitable[Reading[object]]]
    ) -> Entry:
        drops = self._drops[tenant.id]
        reading = await render()
        if reading.lifetime is None and tenant.shop.platform.kind != EMBEDDED:
            reading = replace(reading, lifetime=LIVE_LIFETIME)
        entry = self._render(reading, freshness.header(tenant.phase), self._clock.monotonic())
        if drops == self._drops[tenant.id]:  # otherwise the entry may contain data that was dropped in the meantime
            self._entries[key] = entry
        return entry

    def _render(self, reading: Reading[object], cache_control: str, now: float, **effort: int) -> Entry:
        """Render an entry. `effort` is passed to `compressed_forms`."""
        value = reading.value
        body, headers = (value.text, _HTML) if isinstance(value, Html) else (compact_json(value), _JSON)
        tag = hashlib.sha256(body).hexdigest()[:32]
        bodies = {"": body, **compressed_forms(body, **effort)}
        forms = {
            coding: Form(bytes_, _headers(headers, tag, coding, cache_control)) for coding, bytes_ in bodies.items()
        }
        return Entry(tag, forms, now, reading.age, reading.lifetime)


def _headers(of_type: Mapping[str, str], tag: str, coding: str, cache_control: str) -> CIMultiDict[str]:
    headers = {
        **of_type,
        "ETag": f'"{tag}-{coding}"' if coding else f'"{tag}"',
        "Cache-Control": cache_control,
        "Vary": "Authorization, Origin, Accept-Encoding",
    }
    if coding:
        headers["Content-Encoding"] = coding
    return CIMultiDict(headers)
