"""The pages of the documentation: their layout and assets, and the API reference (Swagger UI for the OpenAPI document)."""

from functools import cache
from http import HTTPStatus
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.typedefs import Handler

from bundlesvc.domain.errors import NotFound

if TYPE_CHECKING:
    from jinja2 import Environment

DOCS_PATH = "/docs"
MANAGEMENT_PATH = f"{DOCS_PATH}/management"
ASSETS_PATH = f"{DOCS_PATH}/assets"
GUIDES_PATH = f"{DOCS_PATH}/guides"

GUIDES = {
    "web-component.md": "Web component",
    "first-paint.md": "First paint",
    "client.md": "JavaScript client",
    "agents.md": "Assistants",
    "features.md": "Features",
    "conditions.md": "Conditions",
    "discount-string.md": "Discount string",
    "checkout.md": "Checkout function",
    "orders.md": "Orders",
    "webhooks.md": "Webhooks",
    "revisions.md": "Revisions",
    "reports.md": "Reports",
    "experiments.md": "A/B tests",
    "studio.md": "Studio",
    "shop-file.md": "Shop files",
    "lint.md": "Linter",
    "connecting.md": "Live platform",
    "connecting-vendure.md": "Vendure",
    "deploying.md": "Deploying",
    "settings.md": "Settings",
    "running.md": "Running",
    "scaling.md": "Scaling",
    "failures.md": "Failures",
    "metrics.md": "Metrics",
    "performance.md": "Performance",
    "cdn.md": "CDN",
    "shoppers-data.md": "Shoppers' data",
    "contract.md": "Contract",
    "threat-model.md": "Threat model",
    "architecture.md": "Architecture",
    "decisions/README.md": "Decisions",
}
"""The titles of the guides to which every page links, in this order, by the path of the guide below `GUIDES_PATH`."""


def _folder_of(package: str) -> Path:
    """Find the folder of an installed package. The package is not imported, because only its files are served."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ImportError(package)
    return Path(spec.origin).parent


_OWN = Path(str(files("bundlesvc.api.documentation") / "page"))
_VIEWER = _folder_of("swagger_ui") / "static"
_ASSETS = {
    "page.css": _OWN / "page.css",
    "reference.css": _OWN / "reference.css",
    "reference.js": _OWN / "reference.js",
    "swagger-ui.css": _VIEWER / "swagger-ui.css",
    "swagger-ui-bundle.js": _VIEWER / "swagger-ui-bundle.js",
}

# All files come from this origin. The viewer sets `style` attributes, and its style sheet contains icons as data URLs.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def page(template: str, **values: object) -> web.Response:
    """Render a page from a template in `page/`. The value `current` marks the page's entry in the list of pages."""
    paths = {"docs": DOCS_PATH, "management": MANAGEMENT_PATH, "assets": ASSETS_PATH, "guides_path": GUIDES_PATH}
    text = _templates().get_template(template).render(**paths, guides=GUIDES, **values)
    return web.Response(text=text, content_type="text/html", headers={"Content-Security-Policy": _POLICY})


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - only pages need it

    return Environment(
        loader=PackageLoader("bundlesvc.api.documentation", "page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def reference(document: str, title: str, current: str | None, demo_key: str | None = None) -> Handler:
    """Return the handler that serves the API reference for one OpenAPI document. In demo mode, "Try it out" is authorised with
    the public demo key."""

    async def serve(request: web.Request) -> web.Response:
        return page("reference.html.j2", document=document, title=title, current=current, demo_key=demo_key)

    return serve


async def front_door(request: web.Request) -> web.Response:
    """Redirect a browser from `/` to the documentation. Other clients get the usual 404."""
    if "text/html" not in request.headers.get("Accept", ""):
        raise NotFound
    return web.Response(status=HTTPStatus.FOUND, headers={"Location": DOCS_PATH})


def file(path: Path) -> Handler:
    """Return a handler that serves a file, which browsers revalidate on every use."""

    async def serve(request: web.Request) -> web.StreamResponse:
        return web.FileResponse(path, headers={"Cache-Control": "no-cache"})

    return serve


def add_assets(app: web.Application) -> None:
    """Add the routes for the pages' style sheets and scripts."""
    for name, path in _ASSETS.items():
        app.router.add_get(f"{ASSETS_PATH}/{name}", file(path))
