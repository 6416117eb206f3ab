"""Serves the files of the studio's pages."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler

PAGE = Path(str(files("bundlesvc") / "studio" / "page"))

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""A page loads scripts and styles only from its own origin, sends requests only to this origin, and contains nothing inline. A
shop's pictures may be on another host."""

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def page_file(path: Path, headers: Mapping[str, str] = {}) -> Handler:
    """Create a handler that serves a file of the studio's pages, with `headers` in addition to the usual ones."""

    async def serve(request: web.Request) -> web.StreamResponse:
        return web.FileResponse(path, headers={**_HEADERS, **headers})

    return serve
