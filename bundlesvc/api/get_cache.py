"""The rendered bytes of GETs, with their ETag (docs/contract.md#http-caching): a warm read touches neither database nor
serializer.

Every GET of both APIs goes through `RenderedGets.respond`. An entry is stored under the shop's version, so it is not found
again after a change of the shop's data or in another phase; it also expires with the platform data in it.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import NamedTuple

from aiohttp import hdrs, web
from multidict import CIMultiDict
from prometheus_client import Metric

from bundlesvc.api.compression import packed, preferred_coding
from bundlesvc.compact_json import compact_json
from bundlesvc.domain.live_platform.platform_change import Change
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.publication import Phase
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.lru import LruMapping
from bundlesvc.metrics.families import HIT, MISS, cache_bytes, cache_reads
from bundlesvc.ports import Clock
from bundlesvc.single_flight import SingleFlight

MAX_BYTES = 64 * 1024 * 1024

ENTRY_OVERHEAD, FORM_OVERHEAD = 1024, 1024
"""Approximate memory in bytes of an entry with its key, without bodies, and of the headers of each form."""

IDLE_PERIODS = 10
"""The number of whole periods of `expire` after which an unused entry is dropped."""

LIVE_LIFETIME = 60.0
"""Seconds for which a response of a shop on a live platform is cached when its data has no lifetime of its own: a change on the
platform does not change the shop's revision."""

_JSON = {"Content-Type": "application/json; charset=utf-8"}
_HTML = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'; sandbox"}
"""The headers of a type. HTML is for the pages of a shop: opened at the service's own origin, it loads and runs nothing."""

_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_CODING = re.compile(r"-(?:gzip|br)\Z")


class Html(NamedTuple):
    """A rendered value that is not JSON."""

    text: bytes


class RenderKey(NamedTuple):
    """Everything that a rendered GET depends on besides the shop and its version."""

    route: str
    bundle_id: int = 0
    country: str | None = None
    test: bool = False
    language: str = ""
    template: str = ""
    routed: str = ""
    listed: tuple[int, ...] = ()
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How long a client may cache a response, and show it stale while it fetches a new one (seconds)."""

    max_age: int
    stale_while_revalidate: int

    def header(self, phase: Phase) -> str:
        """The value of `Cache-Control` in a phase of the shop. Just before its end every use must be validated."""
        if phase.closing:
            return "private, no-cache"
        return f"private, max-age={self.max_age}, stale-while-revalidate={self.stale_while_revalidate}"

    def shared_header(self, phase: Phase) -> str:
        """The value of `Cache-Control` for caches that serve many clients."""
        if phase.closing:
            return "public, no-cache"
        seconds = self.max_age
        return f"public, max-age={seconds}, s-maxage={seconds}, stale-while-revalidate={self.stale_while_revalidate}"


BUNDLE_FRESHNESS = Freshness(max_age=60, stale_while_revalidate=300)
PRODUCTS_FRESHNESS = Freshness(max_age=15, stale_while_revalidate=60)


@dataclass(frozen=True, slots=True)
class _Form:
    """The bytes of an entry in one coding, with the headers that go with them."""

    body: bytes
    headers: CIMultiDict[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A rendered response in each useful coding, and uncompressed ("")."""

    tag: str
    forms: Mapping[str, _Form]
    made_at: float
    age: float
    lifetime: float | None

    @property
    def size(self) -> int:
        """The memory of the entry, in bytes."""
        return ENTRY_OVERHEAD + sum(len(form.body) + FORM_OVERHEAD for form in self.forms.values())

    def response(self, request: web.Request, now: float) -> web.Response:
        form = self.forms[preferred_coding(request.headers.get(hdrs.ACCEPT_ENCODING), self.forms)]
        if_none_match = request.headers.get(hdrs.IF_NONE_MATCH)
        if if_none_match is not None and names_tag(if_none_match, self.tag):
            response = web.Response(status=304, headers=form.headers)
            del response.headers[hdrs.CONTENT_TYPE]
            response.headers.pop(hdrs.CONTENT_ENCODING, None)
        else:
            response = web.Response(body=form.body, headers=form.headers)
        if self.age:
            response.headers[hdrs.AGE] = self.age_at(now)
        return response

    def age_at(self, now: float) -> str:
        """The value of the header `Age` at a time. Responses have the header when `age` is not 0."""
        return str(int(self.age + now - self.made_at))

    def fresh(self, now: float) -> bool:
        return self.lifetime is None or now - self.made_at < self.lifetime


EntryKey = tuple[int, tuple[int, int], RenderKey]

SOURCE = web.RequestKey("source", tuple[EntryKey, Entry])
"""The entry from which a response is made, and its key. Absent when the response depends on more than the key."""


class RenderedGets:
    """The cache of rendered GETs. It drops the least recently used entries when all exceed `max_bytes`, and those unused for
    `IDLE_PERIODS`."""

    def __init__(self, clock: Clock, max_bytes: int = MAX_BYTES) -> None:
        self._clock = clock
        self._drops: Counter[int] = Counter()
        self._entries: LruMapping[EntryKey, Entry] = LruMapping(
            max_bytes, lambda _, entry: entry.size, self._report_dropped
        )
        self.when_dropped: Callable[[EntryKey], None] | None = None
        """Is called with the key of each entry that is replaced or dropped."""
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
        """Respond to a GET with cached bytes, or render them. Raises what `render` raises, and caches nothing then."""
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
        """The metrics of this part, for prometheus_client."""
        yield cache_reads("rendered", self._reads)
        yield cache_bytes("rendered", self._entries.total)

    def expire(self) -> int:
        """Drop long unused entries, and return how many bytes they took. Call it once in each period."""
        before = self._entries.total
        self._entries.end_period(IDLE_PERIODS)
        return before - self._entries.total

    def current(self, key: EntryKey) -> Entry | None:
        """The entry that `respond` would use now, without rendering."""
        entry = self._entries.get(key)
        if entry is None or entry.lifetime is None:  # most live as long as the revision: no need for the time
            return entry
        return entry if entry.fresh(self._clock.monotonic()) else None

    def _report_dropped(self, key: EntryKey) -> None:
        if self.when_dropped is not None:
            self.when_dropped(key)

    def age(self, entry: Entry) -> str:
        """The value of the header `Age` of this entry now."""
        return entry.age_at(self._clock.monotonic())

    def respond_once(self, request: web.Request, tenant: Tenant, value: object, freshness: Freshness) -> web.Response:
        """Respond to a GET that depends on more than the shop's revision: with an ETag, but not cached."""
        now = self._clock.monotonic()
        return self._render(Reading(value), freshness.header(tenant.phase), now).response(request, now)

    async def respond_past(
        self, request: web.Request, render: Callable[[], Awaitable[Reading[object]]]
    ) -> web.Response:
        """Respond to a GET past the cache: no entry is read or stored, and no other cache may store the response.
        Raises what `render` raises."""
        reading = await render()
        now = self._clock.monotonic()
        return self._render(reading, "no-store", now, brotli_quality=1, gzip_level=1).response(request, now)

    async def drop(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        """Drop the shop's entries (the port `PlatformCache`). They are rendered again from the platform's cache."""
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
        if drops == self._drops[tenant.id]:  # else it may contain data that was dropped meanwhile
            self._entries[key] = entry
        return entry

    def _render(self, reading: Reading[object], cache_control: str, now: float, **effort: int) -> Entry:
        """Render an entry; `effort` is that of `packed`."""
        value = reading.value
        body, headers = (value.text, _HTML) if isinstance(value, Html) else (compact_json(value), _JSON)
        tag = hashlib.sha256(body).hexdigest()[:32]
        bodies = {"": body, **packed(body, **effort)}
        forms = {
            coding: _Form(bytes_, _headers(headers, tag, coding, cache_control)) for coding, bytes_ in bodies.items()
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


@lru_cache(maxsize=256)
def names_tag(if_none_match: str, tag: str) -> bool:
    """Whether `If-None-Match` names this body in any coding, compared weakly."""
    if if_none_match.strip() == "*":
        return True
    return any(_CODING.sub("", named) == tag for named in _TAG.findall(if_none_match))
