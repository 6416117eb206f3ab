"""Lets a CDN cache GET responses of the embed API (docs/cdn.md), if the operator has declared that the CDN's cache key includes
`Authorization`."""

from aiohttp import hdrs, web
from multidict import istr

from bundlesvc.api.app_keys import CALLER, SHARED, SHARED_CACHING
from bundlesvc.api.response_cache.entry import SOURCE
from bundlesvc.api.response_cache.freshness import Freshness

_TAGS = istr("Surrogate-Key"), istr("Cache-Tag")
"""Headers that list the tags for purging: separated by spaces for Fastly and Varnish, by commas for Cloudflare, Akamai and
Bunny."""
_SEPARATORS = " ", ","


def share(request: web.Request, response: web.Response, freshness: Freshness) -> None:
    """Let a CDN cache the response, unless the request has a test key or the response may depend on the visitor. `SHARED` makes
    the middleware omit the headers that belong to a single request: the request id and the rate limits."""
    caller = request[CALLER]
    if not request.app[SHARED_CACHING] or caller.key.test or "visitor_id" in request.query or SOURCE not in request:
        return
    request[SHARED] = True
    tenant, headers = caller.tenant, response.headers
    headers[hdrs.CACHE_CONTROL] = freshness.shared_header(tenant.phase)
    tags = f"shop-{tenant.shop.handle}", f"shop-{tenant.shop.handle}-{tenant.revision}"
    for name, separator in zip(_TAGS, _SEPARATORS, strict=True):
        headers[name] = separator.join(tags)
