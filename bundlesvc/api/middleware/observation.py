"""The outermost layer of middleware: request id, log line, statistics, and the headers of every response."""

import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from random import randbytes
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from multidict import istr

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.app_keys import CALLER, LIMIT, REQUEST_ID, SHARED
from bundlesvc.api.counting.request_kinds import kind_of
from bundlesvc.api.counting.statistics import RequestStatistics
from bundlesvc.api.errors import CODE, LIMIT_KIND, OWN_HEADERS, free_frames
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import ApiKey
from bundlesvc.domain.rate_limit import BucketState
from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.services.access.usage import UsageCounter
from bundlesvc.tracing.requests import Tracing
from bundlesvc.tracing.spans import current_span

CLIENT_CLOSED_REQUEST = 499
"""The status to log and count for a client that disconnected. It is never sent."""

LIMIT_HEADERS = (
    "RateLimit-Policy",
    "RateLimit",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
)
"""Rate limit headers: those of IETF draft-ietf-httpapi-ratelimit-headers, and the older X- names."""

REQUEST_ID_HEADER = istr("X-Request-Id")
_ID_BYTES, _ID_BATCH = 16, 64
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}\Z", re.ASCII)


class RequestRecord:
    """Counts each response, both in the statistics and in the usage of the API key, and writes a log line for it."""

    def __init__(
        self,
        statistics: RequestStatistics,
        log_line: Callable[[dict[str, Any]], None] | None,
        shops: ShopLabels,
        tracing: Tracing,
        usage: UsageCounter,
    ) -> None:
        self.statistics = statistics
        self.tracing = tracing
        self._usage = usage
        self._log_line = log_line
        self._shops = shops if shops.enabled else None

    def write(
        self,
        request_id: str,
        request: RawRequestMessage | web.Request,
        route: str,
        path: str,
        status: int,
        caller: Caller | None,
        started: float,
    ) -> None:
        """Count a response and write its log line. `route` is the path with placeholders; `started` is the `time.perf_counter()`
        reading when the request began."""
        seconds, method = time.perf_counter() - started, request.method
        shop = "" if self._shops is None or caller is None else self._shops.of(caller.tenant.shop.handle)
        self.statistics.count(method, route, status, seconds, shop)
        if caller is not None:
            self._usage.count(caller, kind_of(method, route, status))
        headers, trace_id = request.headers, None
        if self.tracing.concerns(headers):
            trace_id = self.tracing.answered(headers, method, route, status, started)
        if self._log_line is None:
            return
        line = {
            "timestamp": datetime.now(UTC),
            "level": "info",
            "event": "request",
            "requestId": request_id,
            "method": method,
            "path": path,
            "status": status,
            "ms": int(seconds * 100_000) / 100,
            "key": caller.key.prefix if caller else None,
        }
        if trace_id is not None:
            line["traceId"] = trace_id
        self._log_line(line)

    def refuse(self, response: web.StreamResponse, caller: Caller | None) -> None:
        """Count an error response."""
        span = current_span()
        if span is not None:
            span.set({"error.type": response[CODE]})
        self.statistics.refuse(response[CODE], response.get(LIMIT_KIND, ""), self._shop(caller))

    def _shop(self, caller: Caller | None) -> str:
        return "" if self._shops is None or caller is None else self._shops.of(caller.tenant.shop.handle)


RECORD = web.AppKey("record", RequestRecord)


def observation(record: RequestRecord) -> Middleware:
    """Create the middleware that observes requests. A client's disconnection is counted, but is not treated as an error
    (docs/contract.md#errors)."""

    statistics = record.statistics

    @web.middleware
    async def observe(request: web.Request, handler: Handler) -> web.StreamResponse:
        started = time.perf_counter()
        request_id = request[REQUEST_ID] = request_id_of(request.headers.get(REQUEST_ID_HEADER))
        statistics.under_way += 1
        try:
            response = await handler(request)
        except ConnectionError as error:
            statistics.disconnects += 1
            response = web.Response(status=CLIENT_CLOSED_REQUEST)
            free_frames(error)
        finally:
            statistics.under_way -= 1
        if statistics.draining:
            response.force_close()
        headers = response.headers
        shared = SHARED in request
        if not shared:
            headers[REQUEST_ID_HEADER] = request_id
        headers.update(OWN_HEADERS)
        limit, caller = request.get(LIMIT), request.get(CALLER)
        if limit is not None and caller is not None and not shared:
            headers.update(zip(LIMIT_HEADERS, limit_values(limit, caller.key), strict=True))
        if CODE in response:
            record.refuse(response, caller)
        record.write(request_id, request, route_of(request), request.path, response.status, caller, started)
        return response

    return observe


def _ids() -> Iterator[str]:
    """Yield random ids of 32 hexadecimal digits, generated in batches."""
    while True:
        digits = randbytes(_ID_BYTES * _ID_BATCH).hex()  # noqa: S311 - ids need not be secret
        for start in range(0, len(digits), 2 * _ID_BYTES):
            yield digits[start : start + 2 * _ID_BYTES]


_random_ids = _ids()


def request_id_of(sent: str | None) -> str:
    """Return the request id: the client's own if it is well-formed, otherwise a random one."""
    if sent is not None and _REQUEST_ID.match(sent):
        return sent
    return next(_random_ids)


def route_of(request: web.Request) -> str:
    """Return the path of the request with placeholders, so that ids do not end up in metric labels."""
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else "unmatched"


@lru_cache(maxsize=1024)
def _policy(rate_limit: int, visitor_limit: int | None) -> str:
    limits = [f'"key";q={rate_limit};w=60']
    if visitor_limit is not None:
        limits.append(f'"visitor";q={visitor_limit};w=60')
    return ", ".join(limits)


def limit_values(limit: BucketState, key: ApiKey) -> tuple[str, str, str, str, str]:
    """Return the values of `LIMIT_HEADERS` for the bucket that limits the request."""
    kind, _, capacity, left, seconds, _ = limit
    remaining, until_full = str(left), str(seconds)
    return (
        _policy(key.rate_limit, key.visitor_limit),
        f'"{kind}";r={remaining};t={until_full}',
        str(capacity),
        remaining,
        until_full,
    )
