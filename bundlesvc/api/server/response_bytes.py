"""Serialises responses to requests that are answered before they reach the application."""

from aiohttp import hdrs, web

from bundlesvc.api.aiohttp_internals import rfc822_formatted_time
from bundlesvc.api.cors import EXPOSED_HEADERS

_EXPOSED = ",".join(EXPOSED_HEADERS)


def response_bytes(response: web.Response, origin: str | None, *, close: bool, head_only: bool = False) -> bytes:
    """Serialise a response, with the CORS headers that let a page from this origin read it."""
    body = response.body if isinstance(response.body, bytes) else b""
    headers = response.headers
    headers[hdrs.CONTENT_LENGTH] = str(len(body))
    headers[hdrs.DATE] = rfc822_formatted_time()
    if origin is not None and origin.isascii():
        headers[hdrs.VARY] = hdrs.ORIGIN
        headers[hdrs.ACCESS_CONTROL_ALLOW_ORIGIN] = origin
        headers[hdrs.ACCESS_CONTROL_EXPOSE_HEADERS] = _EXPOSED
    if close:
        headers[hdrs.CONNECTION] = "close"
    lines = (f"{name}: {value}" for name, value in headers.items())
    head = "\r\n".join((f"HTTP/1.1 {response.status} {response.reason}", *lines, "", ""))
    return head.encode() + (b"" if head_only else body)
