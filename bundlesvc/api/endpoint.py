"""One row of a route table: what serves a request, and what the OpenAPI document says of it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler
from marshmallow import Schema

JSON = "application/json"

COMMON_ERRORS = (
    "key_invalid",
    "key_scope",
    "origin_not_allowed",
    "shop_not_enabled",
    "rate_limited",
    "method_not_allowed",
    "internal_error",
    "storage_unavailable",
)
"""What every endpoint below the base path may answer."""

PLATFORM_ERRORS = ("platform_error", "platform_not_connected", "platform_unavailable", "platform_timeout")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A path, query or header parameter that an endpoint reads."""

    name: str
    where: str
    description: str
    example: object
    schema: dict[str, Any] = field(default_factory=lambda: {"type": "string"})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A route and its description; `errors` are the codes that it may answer beside `COMMON_ERRORS`. Without a `response`
    schema the answer is no JSON; `public` ones need no key and lie outside the base path."""

    method: str
    path: str
    handler: Handler
    name: str
    summary: str
    description: str
    response: Schema | None = None
    request: Schema | None = None
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[str, ...] = ()
    content_type: str = JSON
    public: bool = False


def add_endpoints(app: web.Application, base_path: str, endpoints: Iterable[Endpoint]) -> None:
    """Serve the rows of a route table below the base path; HEAD as GET."""
    for endpoint in endpoints:
        resource = app.router.add_resource(f"{base_path}{endpoint.path}")
        for method in ("GET", "HEAD") if endpoint.method == "GET" else (endpoint.method,):
            resource.add_route(method, endpoint.handler)
