"""The OpenAPI 3.1 document, generated from the route tables and schemas that serve the requests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema, fields

from bundlesvc import __version__
from bundlesvc.api.cors import embed_path
from bundlesvc.api.endpoint import (
    ANY_ERRORS,
    COMMON_ERRORS,
    EMBED,
    HEADLESS,
    OPERATIONS,
    PARAMETER_FAULTS,
    DocumentedBody,
    Endpoint,
    Parameter,
)
from bundlesvc.api.errors import (
    FAULT_CODES,
    INTERNAL_ERROR,
    INTERNAL_SENTENCE,
    METHOD_NOT_ALLOWED,
    METHOD_SENTENCE,
    STATUSES,
    status_of,
)
from bundlesvc.api.openapi.error_variants import add_variants
from bundlesvc.api.responses.errors import ErrorSchema
from bundlesvc.domain.errors import BundlesvcError, InvalidInput, NotFound

OPENAPI_VERSION = "3.1.0"
DESCRIPTION = """Product bundles of one shop, for storefronts: read bundles, price a selection to the cent, configure it.

Every request below the base path needs `Authorization: Bearer <API_KEY>`. Amounts are strings with two decimal places in the
shop's currency. All errors are JSON objects of the same form. A 400 lists every fault."""

TAGS = (
    {"name": HEADLESS, "description": "For storefronts: bundles, products, prices, configured bundles."},
    {"name": EMBED, "description": "For the web component in a page: the main API's data in one request."},
    {"name": OPERATIONS, "description": "For operators: health, metrics and this document. They need no key."},
)

ERRORS: dict[str, tuple[int, str]] = {
    **{error.code: (status, error.message) for error, status in STATUSES.items()},
    METHOD_NOT_ALLOWED: (405, METHOD_SENTENCE),
    INTERNAL_ERROR: (500, INTERNAL_SENTENCE),
}
"""The HTTP status and the error message for every error code."""

HEADERS = {
    "X-Request-Id": "The client's own id, or a new one.",
    "RateLimit-Policy": "The limit of the key, and its limit per visitor if it has one: `q` requests in `w` seconds.",
    "RateLimit": "The limit with fewer requests left: `r` remain, and all are available again in `t` seconds.",
    "X-RateLimit-Limit": "Requests per minute under the limit with fewer requests left.",
    "X-RateLimit-Remaining": "Requests left.",
    "X-RateLimit-Reset": "Seconds until all requests are available again.",
    "Retry-After": "Seconds to wait before a retry.",
    "Allow": "The methods of this path.",
    "ETag": "Identifies this representation. Send it as `If-None-Match`.",
    "Cache-Control": "How long the response may be cached.",
    "Vary": "The request headers that the response depends on.",
    "Link": 'The next page of the list, as `rel="next"`; absent on the last page.',
    "Age": "Seconds since the data was fetched from the platform, when it is not fresh.",
    "Idempotent-Replayed": "`true` when this is the stored response of an earlier request.",
}
_LIMITED = ("X-Request-Id", *(name for name in HEADERS if "RateLimit" in name))
_CACHED = ("ETag", "Cache-Control", "Vary", "Age")
_OF_STATUS = {
    405: ("Allow",),
    429: ("Retry-After",),
    502: ("Retry-After",),
    503: ("Retry-After",),
    504: ("Retry-After",),
}

DETAIL_EXAMPLES: dict[str, dict[str, Any]] = {
    "invalid_request": {"path": "products.0.variant", "code": "required", "message": "This is required."},
    "selection_invalid": {
        "path": "products.0.section",
        "code": "not_in_section",
        "message": "The section Coffee does not offer Ink Mug.",
    },
    "rules_not_met": {
        "path": "limitRules.0",
        "code": "limit_not_met",
        "rule": "total-number-of-products",
        "unit": "items",
        "operation": "gte",
        "sectionId": None,
        "limit": "3",
        "actual": "2",
        "missing": "1",
        "message": "Choose at least 3 items for the bundle; now there are 2.",
    },
    "subscription_invalid": {
        "path": "subscription.frequency",
        "code": "unknown_option",
        "message": "Coffee on time does not offer a delivery every 5 weeks.",
    },
    "personalisation_invalid": {
        "path": "products.0.personalisation.engraving",
        "code": "required",
        "message": "This is required.",
    },
    "conditions_discount_mismatch": {
        "path": "bundleContent.conditionsDiscount",
        "code": "mismatch",
        "conditionsDiscount": {"type": "percentage", "value": "15.00"},
        "message": "The conditions give 15.00 (percentage).",
    },
    "price_changed": {
        "path": "expectedPrice",
        "code": "different_price",
        "expected": "40.50",
        "actual": "42.75",
        "message": "Expected 40.50 EUR; the price is 42.75 EUR.",
    },
}
"""An example of an entry of `details[]`, for each error code that has details."""


@dataclass(frozen=True, slots=True)
class ErrorCatalogue:
    """The errors of an API by code: the status and message, the codes of the details, and an example of a detail."""

    errors: Mapping[str, tuple[int, str]]
    fault_codes: Mapping[str, tuple[str, ...]]
    examples: Mapping[str, dict[str, Any]]

    def with_refusals(self, *refusals: tuple[type[BundlesvcError], dict[str, Any]]) -> "ErrorCatalogue":
        """Return a copy of the catalogue with these refusals added. Each refusal of invalid input comes with an example of a
        detail."""
        of_input = [
            (kind, example) for kind, example in refusals if issubclass(kind, InvalidInput) and kind.fault_codes
        ]
        return ErrorCatalogue(
            {**self.errors, **{kind.code: (status_of(kind), kind.message) for kind, _ in refusals}},
            {**self.fault_codes, **{kind.code: kind.fault_codes for kind, _ in of_input}},
            {**self.examples, **{kind.code: example for kind, example in of_input}},
        )


CORE_ERRORS = ErrorCatalogue(ERRORS, FAULT_CODES, DETAIL_EXAMPLES)


@dataclass(frozen=True, slots=True)
class ApiInfo:
    """General information about an API for its OpenAPI document. `names` maps schemas to the names of their components, where
    these differ from the default."""

    title: str
    description: str
    tags: tuple[dict[str, str], ...]
    errors: ErrorCatalogue = CORE_ERRORS
    names: Mapping[type[Schema], str] = field(default_factory=dict)


HEADLESS_API = ApiInfo("bundlesvc headless API", DESCRIPTION, TAGS)


def openapi_document(base_path: str, endpoints: Iterable[Endpoint], about: ApiInfo = HEADLESS_API) -> dict[str, Any]:
    """Generate the OpenAPI document: every route, parameter, body, response and error code, with examples."""
    plugin = MarshmallowPlugin(schema_name_resolver=partial(_schema_name, about.names))
    spec = APISpec(
        title=about.title,
        version=__version__,
        openapi_version=OPENAPI_VERSION,
        plugins=[plugin],
        info={"description": about.description, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/"}],
        tags=list(about.tags),
        security=[{"key": []}],
    )
    spec.components.security_scheme(
        "key", {"type": "http", "scheme": "bearer", "description": "`bnd_live_…` or `bnd_test_…`, of one shop."}
    )
    spec.components.schema("Error", schema=ErrorSchema)
    for endpoint in endpoints:
        path = f"{_prefix(endpoint, base_path)}{endpoint.path}"
        spec.path(path=path, operations={endpoint.method.lower(): _operation(endpoint, about.errors)})
    document: dict[str, Any] = spec.to_dict()
    for (kind, *_), name in plugin.converter.refs.items():  # type: ignore[union-attr] # set by init_spec
        document["components"]["schemas"][name] |= {"description": kind.__doc__, **getattr(kind, "openapi", {})}
    add_variants(document["components"]["schemas"], about.errors.errors, about.errors.fault_codes)
    return document


def _prefix(endpoint: Endpoint, base_path: str) -> str:
    return {HEADLESS: base_path, EMBED: embed_path(base_path)}.get(endpoint.tag, "")


def _schema_name(names: Mapping[type[Schema], str], schema: Schema | type[Schema]) -> str:
    kind = type(schema) if isinstance(schema, Schema) else schema
    return names.get(kind) or kind.__name__.removesuffix("Schema")


def _operation(endpoint: Endpoint, errors: ErrorCatalogue) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "description": endpoint.description,
        "tags": [endpoint.tag],
        "parameters": [_parameter(parameter) for parameter in endpoint.parameters],
        "responses": {"200": _success(endpoint), **_failures(endpoint, errors)},
    }
    if any(parameter.name == "If-None-Match" for parameter in endpoint.parameters):
        operation["responses"]["304"] = {
            "description": "Nothing has changed since the ETag.",
            "headers": _headers((*_LIMITED, *_CACHED)),
        }
    if endpoint.public:
        operation["security"] = []
    if endpoint.request is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": _body(endpoint.request)}}
    return operation


def _parameter(parameter: Parameter) -> dict[str, Any]:
    """Describe a parameter. The example of an optional parameter is included in the description only. Otherwise, the API
    reference would use it as the initial value in "Try it out", where an example filter would yield an empty list."""
    described = {"name": parameter.name, "in": parameter.where, "schema": parameter.schema}
    if parameter.where == "path":
        return {**described, "required": True, "description": parameter.description, "example": parameter.example}
    return {**described, "required": False, "description": f"{parameter.description} Example: `{parameter.example}`."}


def _success(endpoint: Endpoint) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": {"type": "string"}}
    if endpoint.response is not None:
        content = _body(endpoint.response)
    success: dict[str, Any] = {"description": endpoint.summary, "content": {endpoint.content_type: content}}
    if not endpoint.public:
        replayed = ("Idempotent-Replayed",) if "idempotency_key_reused" in endpoint.errors else ()
        is_cached = endpoint.method == "GET" and endpoint.stored_by_caches
        cached = _CACHED if is_cached else ("Cache-Control", "Vary")
        linked = ("Link",) if any(parameter.name == "cursor" for parameter in endpoint.parameters) else ()
        success["headers"] = _headers((*_LIMITED, *cached, *replayed, *linked))
    return success


def _headers(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"description": HEADERS[name], "schema": {"type": "string"}} for name in names}


def _body(body: Schema | DocumentedBody) -> dict[str, Any]:
    if isinstance(body, DocumentedBody):
        return {"schema": body.schema, "example": body.example}
    return {"schema": _reference(body), "example": example(body)}


def _reference(schema: Schema) -> Any:
    return {"type": "array", "items": type(schema)} if schema.many else schema


def _failures(endpoint: Endpoint, errors: ErrorCatalogue) -> dict[str, Any]:
    """Describe an error response per status, with an example per code."""
    codes = (*endpoint.errors, *ANY_ERRORS, *(() if endpoint.public else COMMON_ERRORS))
    failures: dict[str, Any] = {}
    for code in codes:
        status, sentence = errors.errors[code]
        failure = failures.setdefault(
            str(status),
            {
                "description": "",
                "headers": _headers((*_LIMITED, *_OF_STATUS.get(status, ()))),
                "content": {
                    "application/json": {"schema": _error_schema(endpoint, codes, status, errors), "examples": {}}
                },
            },
        )
        failure["description"] = f"{failure['description']}\n\n`{code}`: {sentence}".strip()
        failure["content"]["application/json"]["examples"][code] = {"value": _error_example(code, sentence, errors)}
    return failures


def _error_schema(endpoint: Endpoint, codes: Iterable[str], status: int, errors: ErrorCatalogue) -> dict[str, Any]:
    """Return the schema of the endpoint's error responses with this status, limited to the codes that are possible."""
    own = [code for code in dict.fromkeys(codes) if errors.errors[code][0] == status]
    properties: dict[str, Any] = {"code": {"enum": own}}
    elsewhere = PARAMETER_FAULTS.keys() - {parameter.name for parameter in endpoint.parameters}
    impossible = {PARAMETER_FAULTS[name] for name in elsewhere}
    if faults := sorted({fault for code in own for fault in errors.fault_codes.get(code, ())} - impossible):
        properties["details"] = {"items": {"properties": {"code": {"enum": faults}}}}
    return {"$ref": "#/components/schemas/Error", "properties": properties}


def _error_example(code: str, sentence: str, errors: ErrorCatalogue) -> dict[str, Any]:
    body: dict[str, Any] = {"error": sentence, "code": code, "requestId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"}
    if code == NotFound.code:
        body["detail"] = "Not found."
    if errors.fault_codes.get(code):
        body["details"] = [errors.examples[code]]
    return body


def example(schema: Schema) -> Any:
    """Build an example value for a schema from the examples of its fields."""
    whole = {field.data_key or name: _field_example(field) for name, field in schema.fields.items()}
    return [whole] if schema.many else whole


def _field_example(field: fields.Field[Any]) -> Any:
    if "example" in field.metadata:
        return field.metadata["example"]
    if isinstance(field, fields.Nested):
        return example(field.schema)
    if isinstance(field, fields.List):
        return [_field_example(field.inner)]
    return {fields.Boolean: True, fields.Integer: 1, fields.Dict: {}}.get(type(field), "")
