"""The responses of the fast path as bytes: the head without its varying values, and the body."""

from collections.abc import Container, Sequence
from typing import NamedTuple

from aiohttp import web

from bundlesvc.api.middleware.observation import route_of

Chunks = tuple[bytes, ...]


class HeadTemplate(NamedTuple):
    """The head of a response, and the data for its log line. The head is split into pieces, and every second piece is the value
    of a varying header. A `shared` response, which a CDN may cache, has neither a request id nor rate limits."""

    pieces: tuple[str, ...]
    status: int
    route: str
    path: str
    shared: bool = False

    def fill(self, values: Sequence[str]) -> bytes:
        """Return the head, with the varying headers set to these values. The values must be in the order of the headers."""
        pieces = list(self.pieces)
        pieces[1::2] = values
        return "".join(pieces).encode()


class RawResponse(NamedTuple):
    """A response as bytes. `before` and `after` are the values of the varying headers that precede and follow the request id and
    the rate limits in the head."""

    head: HeadTemplate
    body: bytes
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def head_template(
    request: web.Request, response: web.StreamResponse, varying: Container[str], *, shared: bool = False
) -> HeadTemplate:
    """Create a template from the head of a complete response from the application."""
    pieces = [f"HTTP/1.1 {response.status} {response.reason}\r\n"]
    for name, value in response.headers.items():
        if name in varying:
            pieces[-1] += f"{name}: "
            pieces += [value, "\r\n"]
        else:
            pieces[-1] += f"{name}: {value}\r\n"
    pieces[-1] += "\r\n"
    return HeadTemplate(tuple(pieces), response.status, route_of(request), request.path, shared)
