"""The OpenAPI 3.1 document, made from the route tables and schemas that serve the requests."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema, fields

from bundlesvc.api.endpoint import COMMON_ERRORS, Endpoint, Parameter
from bundlesvc.api.errors import INTERNAL_ERROR, METHOD_NOT_ALLOWED, STATUSES
from bundlesvc.api.headless.responses import ErrorSchema
from bundlesvc.domain.errors import NotFound

OPENAPI_VERSION = "3.1.0"
DESCRIPTION = """Product bundles of one shop, for storefronts: read them, price a selection to the cent, configure it.

Every request carries `Authorization: Bearer <API_KEY>`. Amounts are strings with two decimals in the shop's currency. Errors
are JSON of one shape; a 400 names every fault at once."""

ERRORS: dict[str, tuple[int, str]] = {
    **{error.code: (status, error.message) for error, status in STATUSES.items()},
    METHOD_NOT_ALLOWED: (405, "This path answers other methods only."),
    INTERNAL_ERROR: (500, "Something went wrong on our side."),
}
"""Status and sentence of every error code."""

_LIMIT_HEADERS = ("RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def openapi_document(base_path: str, endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The document: every route, parameter, body, answer and error code, with examples."""
    plugin = MarshmallowPlugin(schema_name_resolver=_schema_name)
    spec = APISpec(
        title="bundlesvc headless API",
        version=version("bundlesvc"),
        openapi_version=OPENAPI_VERSION,
        plugins=[plugin],
        info={"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/"}],
        security=[{"key": []}],
    )
    spec.components.security_scheme(
        "key", {"type": "http", "scheme": "bearer", "description": "`bnd_live_…` or `bnd_test_…`, one per store."}
    )
    spec.components.schema("Error", schema=ErrorSchema)
    for endpoint in endpoints:
        path = endpoint.path if endpoint.public else f"{base_path}{endpoint.path}"
        spec.path(path=path, operations={endpoint.method.lower(): _operation(endpoint)})
    document: dict[str, Any] = spec.to_dict()
    return document


def _schema_name(schema: Schema | type[Schema]) -> str:
    kind = type(schema) if isinstance(schema, Schema) else schema
    return kind.__name__.removesuffix("Schema")


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "description": endpoint.description,
        "tags": ["operations" if endpoint.public else "headless"],
        "parameters": [_parameter(parameter) for parameter in endpoint.parameters],
        "responses": {"200": _success(endpoint), **_failures(endpoint)},
    }
    if any(parameter.name == "If-None-Match" for parameter in endpoint.parameters):
        operation["responses"]["304"] = {"description": "Nothing changed since the ETag that was sent."}
    if endpoint.public:
        operation["security"] = []
    if endpoint.request is not None:
        content = {"schema": endpoint.request, "example": example(endpoint.request)}
        operation["requestBody"] = {"required": True, "content": {"application/json": content}}
    return operation


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": parameter.where,
        "required": parameter.where == "path",
        "description": parameter.description,
        "schema": parameter.schema,
        "example": parameter.example,
    }


def _success(endpoint: Endpoint) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": {"type": "string"}}
    if endpoint.response is not None:
        content = {"schema": _reference(endpoint.response), "example": example(endpoint.response)}
    answer: dict[str, Any] = {"description": endpoint.summary, "content": {endpoint.content_type: content}}
    if not endpoint.public:
        answer["headers"] = {name: {"schema": {"type": "string"}} for name in ("X-Request-Id", *_LIMIT_HEADERS)}
    return answer


def _reference(schema: Schema) -> Any:
    return {"type": "array", "items": type(schema)} if schema.many else schema


def _failures(endpoint: Endpoint) -> dict[str, Any]:
    """An answer for each status, with an example for each code."""
    codes = endpoint.errors if endpoint.public else (*endpoint.errors, *COMMON_ERRORS)
    failures: dict[str, Any] = {}
    for code in codes:
        status, sentence = ERRORS[code]
        failure = failures.setdefault(
            str(status),
            {"description": "", "content": {"application/json": {"schema": ErrorSchema, "examples": {}}}},
        )
        failure["description"] = f"{failure['description']}\n\n`{code}`: {sentence}".strip()
        failure["content"]["application/json"]["examples"][code] = {"value": _error_example(code, sentence)}
    return failures


def _error_example(code: str, sentence: str) -> dict[str, Any]:
    body = {"error": sentence, "code": code, "requestId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"}
    if code == NotFound.code:
        body["detail"] = "Not found."
    return body


def example(schema: Schema) -> Any:
    """An example of a schema, put together from those of its fields."""
    whole = {name: _field_example(field) for name, field in schema.fields.items()}
    return [whole] if schema.many else whole


def _field_example(field: fields.Field[Any]) -> Any:
    if "example" in field.metadata:
        return field.metadata["example"]
    if isinstance(field, fields.Nested):
        return example(field.schema)
    if isinstance(field, fields.List):
        return [_field_example(field.inner)]
    return {fields.Boolean: True, fields.Integer: 1, fields.Dict: {}}.get(type(field), "")
