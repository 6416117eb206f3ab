"""CORS for all paths below the base path (docs/contract.md#cors), implemented with aiohttp-cors.

aiohttp-cors asks a router adapter which requests to handle. The adapter in this module covers all paths below the base path, even
those without a route, so that a browser can read every response, including a 403, 404 or 429.
"""

from collections.abc import Mapping
from typing import Any

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler
from aiohttp_cors import CorsConfig, ResourceOptions
from aiohttp_cors.abc import AbstractRouterAdapter

METHODS = ("GET", "HEAD", "POST")
MAX_AGE = 7200
EXPOSED_HEADERS = (
    "RateLimit-Policy",
    "RateLimit",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "Retry-After",
    "ETag",
    "Age",
    "Link",
    "X-Request-Id",
    "Content-Language",
    "Idempotent-Replayed",
)


class BasePath:
    """Decides for aiohttp-cors which paths belong to the APIs: the given paths and all paths below them."""

    def __init__(self, *paths: str) -> None:
        self._paths = paths
        self._below = tuple(f"{path}/" for path in paths)

    def covers(self, path: str) -> bool:
        return path.startswith(self._below) or path in self._paths

    def and_below(self, path: str) -> "BasePath":
        """Return a `BasePath` that also covers `path` and all paths below it."""
        return BasePath(*self._paths, path)


def embed_path(base_path: str) -> str:
    """Return the path of the embed API (docs/contract.md#resources)."""
    return f"{base_path}/embed/api/v1"


def is_preflight(request: web.Request) -> bool:
    """Whether this is a browser's preflight request, which carries no key."""
    return (
        request.method == hdrs.METH_OPTIONS
        and hdrs.ORIGIN in request.headers
        and hdrs.ACCESS_CONTROL_REQUEST_METHOD in request.headers
    )


def set_up_cors(app: web.Application, base: BasePath, base_path: str) -> None:
    """Answer preflights below `base_path`, and add CORS headers and `Vary` to every response there."""
    # Joined here, because the library would join the names for every response, in arbitrary order.
    exposed = [",".join(EXPOSED_HEADERS)]
    options = {
        "*": ResourceOptions(expose_headers=exposed, allow_headers="*", max_age=MAX_AGE)  # type: ignore[no-untyped-call]
    }
    cors = CorsConfig(app, router_adapter=_EverythingBelow(base, options))
    for resource in list(app.router.resources()):
        if base.covers(resource.canonical):
            cors.add(resource)
    # Preflights for paths that do not exist are answered too: the browser then sends its request and can read the 404.
    cors.add(app.router.add_resource(f"{base_path}/{{anything:.*}}"))

    async def vary_by_origin(request: web.Request, response: web.StreamResponse) -> None:
        if hdrs.VARY not in response.headers and base.covers(request.path):
            response.headers[hdrs.VARY] = hdrs.ORIGIN

    app.on_response_prepare.append(vary_by_origin)


class _EverythingBelow(AbstractRouterAdapter):
    def __init__(self, base: BasePath, options: Mapping[str, Any]) -> None:
        self._base = base
        self._options = options

    def add_preflight_handler(self, routing_entity: web.Resource, handler: Handler, webview: bool = False) -> None:  # noqa: FBT001, FBT002
        routing_entity.add_route(hdrs.METH_OPTIONS, handler)

    def is_preflight_request(self, request: web.Request) -> bool:
        return is_preflight(request)

    def is_cors_enabled_on_request(self, request: web.Request) -> bool:
        return self._base.covers(request.path)

    def set_config_for_routing_entity(self, routing_entity: web.Resource, config: Any) -> None:
        """Do nothing: every resource has the same options."""

    async def get_preflight_request_config(
        self, request: web.Request, origin: str, requested_method: str
    ) -> Mapping[str, Any]:
        if requested_method not in METHODS:
            raise KeyError(requested_method)
        return self._options

    def get_non_preflight_request_config(self, request: web.Request) -> Mapping[str, Any]:
        return self._options
