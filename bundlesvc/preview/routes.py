"""The preview's page, and the events that it follows."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
from aiohttp import web

from bundlesvc.api.errors import NO_STORE, OWN_HEADERS
from bundlesvc.demo.handlers import file
from bundlesvc.demo.routes import PAGE as DEMO_PAGE
from bundlesvc.domain.money import amount_text
from bundlesvc.domain.texts.translation import same_language
from bundlesvc.preview.own_names import only_own_names
from bundlesvc.preview.previewed_file import Preview, PreviewedBundle, PreviewedFile
from bundlesvc.shop_file.lint.findings import Finding

PREVIEW_PATH = "/preview"
PAGE = Path(str(files("bundlesvc") / "preview" / "page"))
BORROWED = (DEMO_PAGE / "demo.css", DEMO_PAGE / "dom.js")
"""The files of the demo's page that this page uses too."""

PATIENCE = 15.0
"""Seconds after which an idle stream sends a comment: only so does it notice that its page has gone."""

_STREAM_HEADERS = {"Content-Type": "text/event-stream", "Cache-Control": NO_STORE} | dict[str, str](OWN_HEADERS)
"""With those that other responses get when their handler has ended: a stream has sent its head by then."""

_OF_BUNDLE = re.compile(r"bundles\.(\d+)(?:\.|\Z)")


def add_preview(app: web.Application, previewed: PreviewedFile, key: str, base_path: str) -> None:
    """Serve the preview from an application, which then answers under this computer's own names only; its page calls the API
    with `key`."""

    async def events(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers=_STREAM_HEADERS)
        await response.prepare(request)
        async for preview in previewed.previews(PATIENCE):
            event = b":\n\n" if preview is None else b"data: %b\n\n" % orjson.dumps(_body(preview))
            await response.write(event)
        return response

    def _body(preview: Preview) -> dict[str, Any]:
        return {"apiKey": key, "basePath": base_path, "file": previewed.path.name, **_preview(preview)}

    app.middlewares.insert(1, only_own_names)  # within the first, which logs the request and completes its response
    app.router.add_get(PREVIEW_PATH, file(PAGE / "index.html"))
    for path in (*PAGE.iterdir(), *BORROWED):
        app.router.add_get(f"{PREVIEW_PATH}/page/{path.name}", file(path))
    app.router.add_get(f"{PREVIEW_PATH}/events", events)


def _preview(preview: Preview) -> dict[str, Any]:
    shop_file = preview.shop_file
    settings = shop_file.shop.settings
    translated = {tag for bundle in shop_file.bundles for tag in bundle.translations}
    return {
        "number": preview.number,
        "isCurrent": preview.is_current,
        "shopName": shop_file.shop.name,
        "currency": settings.currency if settings else "",
        "moneyFormat": settings.money_format if settings else "",
        "languages": [
            shop_file.shop.locale,
            *sorted(tag for tag in translated if not same_language(tag, shop_file.shop.locale)),
        ],
        "countries": [market.country_code for market in shop_file.markets],
        "bundles": [_bundle(each) for each in preview.bundles],
        "findings": [_finding(each, preview) for each in preview.findings],
    }


def _bundle(previewed: PreviewedBundle) -> dict[str, Any]:
    bundle, price = previewed.bundle, previewed.from_price
    return {
        "id": bundle.id,
        "name": bundle.name,
        "published": bundle.published,
        "fromPrice": None if price is None else amount_text(price),
        "discountSummary": previewed.discount_summary,
    }


def _finding(finding: Finding, preview: Preview) -> dict[str, Any]:
    """A finding with the id of its bundle, which is null when the file does not load: its bundles are not those shown."""
    place = _OF_BUNDLE.match(finding.path) if preview.is_current else None
    return {
        "line": finding.line,
        "severity": finding.severity,
        "path": finding.path,
        "message": finding.message,
        "hint": finding.hint,
        "bundleId": preview.shop_file.bundles[int(place[1])].id if place else None,
    }
