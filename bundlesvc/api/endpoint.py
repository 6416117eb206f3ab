"""A row of a route table: the handler of an endpoint, and its description for the OpenAPI document."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler
from marshmallow import Schema

from bundlesvc.api.posts.request import Respond
from bundlesvc.api.requests.fields import COUNTRY_SCHEMA
from bundlesvc.domain.identifiers import MAX_ID

JSON = "application/json"
HEADLESS, EMBED, OPERATIONS = "headless", "embed", "operations"
"""The parts of the service, by which the OpenAPI document groups endpoints."""

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
"""The codes of errors that every endpoint below the base path may return."""

ANY_ERRORS = ("content_encoding_unsupported", "overloaded", "http_version_unsupported")
"""The codes of errors that any path may return, with or without a key."""

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
class DocumentedBody:
    """A JSON body that is read or written without a `Schema` class: its JSON Schema for the OpenAPI document, and an example."""

    schema: dict[str, Any]
    example: Any


PARAMETER_FAULTS = {"forceTemplate": "unknown_template"}
"""Codes of details that only one parameter causes, by the name of the parameter."""

ID_SCHEMA = {"type": "integer", "minimum": 1, "maximum": MAX_ID}
PATH_ID = Parameter("id", "path", "Bundle ID.", 101, ID_SCHEMA)
COUNTRY = Parameter(
    "countryCode",
    "query",
    "ISO 3166-1 alpha-2, in upper or lower case. Adds the market's prices and availability.",
    "US",
    {"type": "string", **COUNTRY_SCHEMA},
)
IDEMPOTENCY_KEY = Parameter(
    "Idempotency-Key",
    "header",
    "1 to 255 printable ASCII characters. A retry with the same key and body within 24 hours gets the stored response.",
    "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]([ -~]*[!-~])?$"},
)
IF_NONE_MATCH = Parameter(
    "If-None-Match", "header", "An ETag. The response is 304 when nothing has changed since.", '"5d41402abc4b2a76"'
)
BODY_ERRORS = ("invalid_json", "invalid_request", "body_too_large", "body_too_slow")
SELECTION_ERRORS = (
    "selection_invalid",
    "subscription_invalid",
    "personalisation_invalid",
    "conditions_discount_mismatch",
)

CONFIGURE_ERRORS = (
    "idempotency_key_invalid",
    "idempotency_key_reused",
    "not_found",
    *BODY_ERRORS,
    *SELECTION_ERRORS,
    "rules_not_met",
    "price_changed",
    "ghost_variants_full",
    *PLATFORM_ERRORS,
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A route and its description. `respond` answers a POST on the fast path (`fast_path/post_responder.py`) in the same way as
    the handler. An endpoint that `writes` has to wait for the disk, so none of its requests are started during an overload.
    `errors` are the error codes that the endpoint may return in addition to `COMMON_ERRORS`. Without a `response` schema, the
    response is not JSON. A `public` endpoint needs no key and is outside the base path. A GET whose response differs each time is
    not `stored_by_caches`."""

    method: str
    path: str
    handler: Handler
    name: str
    summary: str
    description: str
    response: Schema | DocumentedBody | None = None
    request: Schema | DocumentedBody | None = None
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[str, ...] = ()
    content_type: str = JSON
    tag: str = HEADLESS
    public: bool = False
    stored_by_caches: bool = True
    respond: Respond | None = None
    writes: bool = False


ENDPOINT_OF = web.AppKey("endpoint_of", dict[web.AbstractRoute, Endpoint])
"""The row of the route table behind each route."""


def add_endpoints(app: web.Application, base_path: str, endpoints: Iterable[Endpoint]) -> None:
    """Add the endpoints of a route table below the base path. Each GET also answers HEAD."""
    endpoint_of = app.setdefault(ENDPOINT_OF, {})
    for endpoint in endpoints:
        resource = app.router.add_resource(f"{base_path}{endpoint.path}")
        for method in ("GET", "HEAD") if endpoint.method == "GET" else (endpoint.method,):
            endpoint_of[resource.add_route(method, endpoint.handler)] = endpoint
