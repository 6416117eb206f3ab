"""What is outside the base path and needs no key: health, metrics, documentation, static files."""

from collections.abc import Iterable
from functools import cached_property

import orjson
from aiohttp import web
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from bundlesvc.api.app_keys import SHOPS, STATISTICS
from bundlesvc.api.documentation.guides import add_guides
from bundlesvc.api.documentation.pages import DOCS_PATH, add_assets, front_door, reference
from bundlesvc.api.embed.routes import EMBED_ENDPOINTS
from bundlesvc.api.endpoint import OPERATIONS as OPERATIONS_TAG
from bundlesvc.api.endpoint import Endpoint, add_endpoints
from bundlesvc.api.headless.routes import ENDPOINTS
from bundlesvc.api.responses.operations import HealthSchema, OpenApiSchema
from bundlesvc.api.storefront import add_storefront
from bundlesvc.api.webhooks import APP_WEBHOOK, WEBHOOK
from bundlesvc.background_output import DROPPED_LINES
from bundlesvc.domain.errors import ShuttingDown

_REGISTRY = web.AppKey("registry", CollectorRegistry)


async def alive(request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


async def ready(request: web.Request) -> web.Response:
    if request.app[STATISTICS].draining:
        raise ShuttingDown
    await request.app[SHOPS].check_database()
    return web.json_response({"status": "ready"})


async def metrics(request: web.Request) -> web.Response:
    body = generate_latest(request.app[_REGISTRY])
    return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})


async def document(request: web.Request) -> web.Response:
    # Any page may read the document: it contains nothing about a shop.
    headers = {"Access-Control-Allow-Origin": "*"}
    return web.Response(body=request.app[_DOCUMENT].body, content_type="application/json", headers=headers)


OPERATIONS = (
    Endpoint(
        "GET",
        "/healthz",
        alive,
        name="alive",
        summary="Check that the process is alive",
        description="200 as long as the process runs.",
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
        description="200 when the database can be read and written, else 503. 503 too once this process is stopping.",
        response=HealthSchema(),
        errors=("storage_unavailable", "shutting_down"),
        tag=OPERATIONS_TAG,
        public=True,
    ),
    Endpoint(
        "GET",
        "/metrics",
        metrics,
        name="metrics",
        summary="Read the metrics of this process",
        description="Counts and seconds by route and status, in Prometheus' text format.",
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
    """The OpenAPI document, made when it is first requested: it would take a tenth of a start."""

    def __init__(self, base_path: str) -> None:
        self._base_path = base_path

    @cached_property
    def body(self) -> bytes:
        from bundlesvc.api.openapi import openapi_document  # noqa: PLC0415 - for the same reason

        return orjson.dumps(openapi_document(self._base_path, (*ENDPOINTS, *EMBED_ENDPOINTS, *OPERATIONS)))


_DOCUMENT = web.AppKey("document", _Document)


def add_operations(
    app: web.Application, base_path: str, collectors: Iterable[Collector] = (), demo_key: str | None = None
) -> None:
    """Add the routes. `collectors` have the metrics besides those of requests."""
    app[_DOCUMENT] = _Document(base_path)
    registry = app[_REGISTRY] = CollectorRegistry()
    registry.register(DROPPED_LINES)
    for collector in (app[STATISTICS], *collectors):
        registry.register(collector)
    add_endpoints(app, "", OPERATIONS)
    add_storefront(app)
    app.router.add_get("/", front_door)
    app.router.add_get(DOCS_PATH, reference(demo_key))
    add_assets(app)
    add_guides(app)
