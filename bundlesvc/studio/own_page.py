"""Checks that a request comes from the studio's own page, not from another site's page that uses the visitor's cookie."""

from urllib.parse import urlsplit

from aiohttp import hdrs, web

HEADER = "X-Bundlesvc-Studio"
"""A header that the page sends with every write. To send it, a page of another origin would need a CORS preflight, which is never
answered."""

_SITE = "Sec-Fetch-Site"
_READS = (hdrs.METH_GET, hdrs.METH_HEAD)


def is_own_page(request: web.Request) -> bool:
    """Whether the request comes from a page with the service's own origin, according to the headers that the browser sets."""
    site = request.headers.get(_SITE)
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get(hdrs.ORIGIN)
    if origin is None:  # browsers send Origin with all requests except plain reads
        return request.method in _READS
    return urlsplit(origin).netloc.lower() == request.host.lower()


def may_write(request: web.Request) -> bool:
    """Whether the request may change something: it must come from the studio's own page, and contain the header that only this
    page sends."""
    return is_own_page(request) and HEADER in request.headers
