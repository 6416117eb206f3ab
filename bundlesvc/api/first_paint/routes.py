"""The route that serves the HTML of a bundle."""

from collections.abc import AsyncIterator

from aiohttp import web

from bundlesvc.api.app_keys import OWN_ADDRESSES
from bundlesvc.api.cors import embed_path
from bundlesvc.api.embed.handlers import respond_with_bundle
from bundlesvc.api.embed.rendering import Json
from bundlesvc.api.embed.routes import BUNDLE_PARAMETERS
from bundlesvc.api.endpoint import EMBED, PLATFORM_ERRORS, Endpoint, Parameter, add_endpoints
from bundlesvc.api.first_paint.drawing import Drawing
from bundlesvc.api.response_cache.entry import Html
from bundlesvc.compact_json import compact_json

DRAWING = web.AppKey("drawing", Drawing)
HEADER = "header"
"""The query parameter which says that the page has its own header. The value of the parameter is ignored."""

BASE_PATH = web.AppKey("first_paint_base_path", str)


async def get_html(request: web.Request) -> web.Response:
    origin, drawing = request.app[OWN_ADDRESSES].of(request), request.app[DRAWING]
    base_url = f"{origin}{request.app[BASE_PATH]}" if origin else ""
    has_header = HEADER in request.query

    async def draw(body: Json, country: str | None) -> object:
        options = {"baseUrl": base_url, "countryCode": country, "hasHeader": has_header}
        return Html(await drawing.html(compact_json(body), options))

    return await respond_with_bundle(request, "embed-html-headed" if has_header else "embed-html", draw, origin)


_HEADER = Parameter(
    HEADER,
    "query",
    "Any text: the page has its own header in the slot `header`, so the bundle's header is hidden.",
    "1",
)
FIRST_PAINT_ENDPOINTS = (
    Endpoint(
        "GET",
        "/bundle/html",
        get_html,
        name="embedHtml",
        summary="Read a bundle as HTML for the first paint",
        description="The content of `<bundle-builder>` that a browser shows before any script runs: a `<template "
        'shadowrootmode="open">` with what the component draws at first. The parameters are those of GET /bundle. 404 also '
        "when the service is installed without the extra `html`.",
        parameters=(*BUNDLE_PARAMETERS, _HEADER),
        errors=("invalid_request", "not_found", *PLATFORM_ERRORS),
        content_type="text/html",
        tag=EMBED,
    ),
)


def add_first_paint(app: web.Application, base_path: str) -> None:
    """Add the endpoints that serve the HTML of bundles, and the JavaScript engine behind them."""
    app[DRAWING] = Drawing()
    app[BASE_PATH] = base_path
    add_endpoints(app, embed_path(base_path), FIRST_PAINT_ENDPOINTS)
    app.cleanup_ctx.append(_running)


async def _running(app: web.Application) -> AsyncIterator[None]:
    yield
    await app[DRAWING].close()
