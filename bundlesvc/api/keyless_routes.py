"""Routes outside the base path, which need no key: health, metrics, documentation, static files."""

from functools import cached_property

import orjson
from aiohttp import web

from bundlesvc.api.app_keys import METRICS, SHOPS, STATISTICS
from bundlesvc.api.documentation.guides import add_guides
from bundlesvc.api.documentation.pages import DOCS_PATH, add_assets, front_door, reference
from bundlesvc.api.documentation.plain_text import add_plain_text
from bundlesvc.api.documentation.search import add_search
from bundlesvc.api.endpoint import EMBED, ENDPOINT_OF, HEADLESS, Endpoint, add_endpoints
from bundlesvc.api.endpoint import OPERATIONS as OPERATIONS_TAG
from bundlesvc.api.responses.health import HealthSchema, OpenApiSchema
from bundlesvc.api.storefront_files.static_files import add_storefront
from bundlesvc.api.webhooks import APP_WEBHOOK, WEBHOOK
from bundlesvc.domain.errors import ShuttingDown
from bundlesvc.metrics.page import CONTENT_TYPE

METRICS_PATH = "/metrics"


async def alive(request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


async def ready(request: web.Request) -> web.Response:
    if request.app[STATISTICS].draining:
        raise ShuttingDown
    await request.app[SHOPS].check_database()
    return web.json_response({"status": "ready"})


async def metrics(request: web.Request) -> web.Response:
    return web.Response(body=request.app[METRICS].for_scrape(), headers={"Content-Type": CONTENT_TYPE})


async def document(request: web.Request) -> web.Response:
    # Any page may read the document, because it contains no shop data.
    headers = {"Access-Control-Allow-Origin": "*"}
    return web.Response(body=request.app[_DOCUMENT].body, content_type="application/json", headers=headers)


OPERATIONS = (
    Endpoint(
        "GET",
        "/healthz",
        alive,
        name="alive",
        summary="Check that the process is alive",
        description="Returns 200 as long as the process runs.",
        response=HealthSchema(),
        tag=OPERATIONS_TAG,
        public=True,
    ),
    Endpoint(
        "GET",
        "/readyz",
        ready,
        name="ready",
        summary="Check that requests can be served",
        description="Returns 200 when the database can be read and written and the process is not stopping, otherwise 503.",
        response=HealthSchema(),
        errors=("storage_unavailable", "shutting_down"),
        tag=OPERATIONS_TAG,
        public=True,
    ),
    Endpoint(
        "GET",
        METRICS_PATH,
        metrics,
        name="metrics",
        summary="Read the metrics of the service",
        description="Of all workers of this `serve`, in Prometheus' text format. With `BUNDLESVC_METRICS_PORT`, they are on "
        "that port instead.",
        content_type="text/plain",
        tag=OPERATIONS_TAG,
        public=True,
    ),
    Endpoint(
        "GET",
        "/openapi.json",
        document,
        name="openapi",
        summary="Read this document",
        description="The OpenAPI 3.1 document of this service.",
        response=OpenApiSchema(),
        tag=OPERATIONS_TAG,
        public=True,
    ),
    WEBHOOK,
    APP_WEBHOOK,
)


class _Document:
    """The OpenAPI document, built on the first request to keep start-up fast."""

    def __init__(self, app: web.Application, base_path: str) -> None:
        self._app = app
        self._base_path = base_path

    @cached_property
    def body(self) -> bytes:
        from bundlesvc.api.openapi.document import openapi_document  # noqa: PLC0415 - keeps the start fast

        mounted = {each.name: each for each in self._app[ENDPOINT_OF].values() if each.tag in (HEADLESS, EMBED)}
        return orjson.dumps(openapi_document(self._base_path, (*mounted.values(), *OPERATIONS)))


_DOCUMENT = web.AppKey("document", _Document)


def add_operations(
    app: web.Application, base_path: str, demo_key: str | None = None, *, with_metrics: bool = True
) -> None:
    """Add the routes for operators. Pass `with_metrics=False` if the metrics are served on a separate port."""
    app[_DOCUMENT] = _Document(app, base_path)
    add_endpoints(app, "", [each for each in OPERATIONS if with_metrics or each.path != METRICS_PATH])
    add_storefront(app)
    app.router.add_get("/", front_door)
    app.router.add_get(DOCS_PATH, reference("/openapi.json", "API reference", None, demo_key))
    add_assets(app)
    add_guides(app)
    add_search(app)
    add_plain_text(app)
