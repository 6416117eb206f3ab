"""The outermost layer: request id, log line, statistics, and the headers of every response."""

import re
import time
from collections.abc import Callable, MutableMapping
from functools import lru_cache
from random import getrandbits
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bundlesvc.api.app_keys import CALLER, LIMIT, REQUEST_ID
from bundlesvc.api.errors import OWN_HEADERS
from bundlesvc.api.statistics import RequestStatistics
from bundlesvc.domain.rate_limit import BucketState

CLIENT_CLOSED_REQUEST = 499
"""Logged and counted for a client that disconnected. It is never sent."""

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}\Z", re.ASCII)


def observation(statistics: RequestStatistics, log_line: Callable[[dict[str, Any]], None]) -> Middleware:
    """The middleware. A client that disconnects is counted and is not an error (docs/contract.md#errors)."""

    @web.middleware
    async def observe(request: web.Request, handler: Handler) -> web.StreamResponse:
        started = time.perf_counter()
        request_id = request[REQUEST_ID] = _request_id(request.headers.get("X-Request-Id"))
        statistics.under_way += 1
        try:
            response = await handler(request)
        except ConnectionError:
            statistics.disconnects += 1
            response = web.Response(status=CLIENT_CLOSED_REQUEST)
        finally:
            statistics.under_way -= 1
        if statistics.draining:
            response.force_close()
        headers = response.headers
        headers["X-Request-Id"] = request_id
        for name, value in OWN_HEADERS:
            headers[name] = value
        limit, caller = request.get(LIMIT), request.get(CALLER)
        if limit is not None and caller is not None:
            _set_limit_headers(headers, limit, _policy(caller.key.rate_limit, caller.key.visitor_limit))
        seconds = time.perf_counter() - started
        statistics.count(request.method, _route(request), response.status, seconds)
        log_line(
            {
                "requestId": request_id,
                "method": request.method,
                "path": request.path,
                "status": response.status,
                "ms": round(seconds * 1000, 2),
                "key": caller.key.prefix if caller else None,
            }
        )
        return response

    return observe


def _request_id(sent: str | None) -> str:
    """The client's id if it is well-formed, else a random one. It is a name, not a secret."""
    if sent is not None and _REQUEST_ID.match(sent):
        return sent
    return f"{getrandbits(128):032x}"


def _route(request: web.Request) -> str:
    """The path with placeholders, so that ids do not become labels."""
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else "unmatched"


@lru_cache(maxsize=1024)
def _policy(rate_limit: int, visitor_limit: int | None) -> str:
    limits = [f'"key";q={rate_limit};w=60']
    if visitor_limit is not None:
        limits.append(f'"visitor";q={visitor_limit};w=60')
    return ", ".join(limits)


def _set_limit_headers(headers: MutableMapping[str, str], limit: BucketState, policy: str) -> None:
    """Describe the bucket that decides (IETF draft-ietf-httpapi-ratelimit-headers, and the older X- names)."""
    headers["RateLimit-Policy"] = policy
    headers["RateLimit"] = f'"{limit.kind}";r={limit.remaining};t={limit.until_full}'
    headers["X-RateLimit-Limit"] = str(limit.capacity)
    headers["X-RateLimit-Remaining"] = str(limit.remaining)
    headers["X-RateLimit-Reset"] = str(limit.until_full)
