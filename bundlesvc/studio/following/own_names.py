"""Checks that requests to the preview use a host name of this computer. Otherwise, a page whose domain an attacker points at
127.0.0.1 would have the same rights as the preview's own page (DNS rebinding)."""

from http import HTTPStatus

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

NAMES = ("127.0.0.1", "localhost")


@web.middleware
async def only_own_names(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A middleware that responds with 421 to a request for another host (RFC 9110, 15.5.20)."""
    name = request.headers.get(hdrs.HOST, "").partition(":")[0].lower()
    if name in NAMES:
        return await handler(request)
    text = "This is the preview of a shop file, for pages of this computer alone. Open the address that the command printed.\n"
    return web.Response(status=HTTPStatus.MISDIRECTED_REQUEST, text=text)
