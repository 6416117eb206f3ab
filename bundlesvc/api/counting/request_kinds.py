"""The kinds of requests by which the usage of keys is counted."""

from aiohttp import hdrs

from bundlesvc.domain.access.usage import CONFIGURE, FAILED, OTHER, PRICE, READ, REFUSED

_CLIENT_ERROR, _SERVER_ERROR = 400, 500

_POSTS = {"price": PRICE, "configure": CONFIGURE, "product": CONFIGURE}
"""The kinds of POST requests, by the last part of their route."""


def kind_of(method: str, route: str, status: int) -> int:
    """Return the kind of a request, as an index into `KINDS`. `route` is the path with placeholders."""
    if status >= _CLIENT_ERROR:
        return FAILED if status >= _SERVER_ERROR else REFUSED
    if method != hdrs.METH_POST:
        return READ
    return _POSTS.get(route.rpartition("/")[2], OTHER)
