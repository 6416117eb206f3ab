"""Checks responses against the OpenAPI document."""

import re
from functools import cache
from typing import Any

import orjson
from jsonschema import Draft202012Validator

from bundlesvc.api.completion.routes import COMPLETION_ENDPOINTS, EMBED_COMPLETION_ENDPOINTS
from bundlesvc.api.embed.routes import EMBED_ENDPOINTS
from bundlesvc.api.first_paint.routes import FIRST_PAINT_ENDPOINTS
from bundlesvc.api.headless.routes import ENDPOINTS
from bundlesvc.api.keyless_routes import OPERATIONS
from bundlesvc.api.openapi.document import openapi_document

_REQUEST_ID = re.compile(rb'"requestId":"[0-9a-f]{32}"')
_PARAMETER = re.compile(r"\{[^}]+\}")

STOREFRONT_ENDPOINTS = (
    *ENDPOINTS,
    *EMBED_ENDPOINTS,
    *COMPLETION_ENDPOINTS,
    *EMBED_COMPLETION_ENDPOINTS,
    *FIRST_PAINT_ENDPOINTS,
)
ALL_ENDPOINTS = (*STOREFRONT_ENDPOINTS, *OPERATIONS)


class ResponseCheck:
    """A check of responses against one OpenAPI document. Validators are cached, because building one takes longer than using
    it."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._paths = [
            (re.compile(_PARAMETER.sub("[^/]+", template)), operations)
            for template, operations in document["paths"].items()
        ]
        self._validators: dict[int, Draft202012Validator] = {}
        self._valid: set[tuple[int, bytes]] = set()
        self._error = {"$ref": "#/components/schemas/Error"}

    def check(self, method: str, path: str, status: int, body: bytes) -> None:
        """Fail when the OpenAPI document does not describe the response, or the response's body does not match the schema.

        For a path that is not in the OpenAPI document, the response must be an error in the common format.
        """
        operation = self._operation(method, path.partition("?")[0])
        if operation is None:
            assert status >= 400, f"{method} {path} answered {status} and is not documented"
            if method == "HEAD":
                assert body == b""
                return
            self._validate(self._error, body)
            return
        responses = operation["responses"]
        assert str(status) in responses, f"{method} {path} answered {status}, which is not documented"
        schema = responses[str(status)].get("content", {}).get("application/json", {}).get("schema")
        if schema is None or method == "HEAD":
            assert body == b"" or schema is None
            return
        self._validate(schema, body)
        if status >= 400:
            assert orjson.loads(body)["code"] in responses[str(status)]["content"]["application/json"]["examples"]

    def _operation(self, method: str, path: str) -> dict[str, Any] | None:
        asked = "get" if method == "HEAD" else method.lower()
        for pattern, operations in self._paths:
            if asked in operations and pattern.fullmatch(path):
                found: dict[str, Any] = operations[asked]
                return found
        return None

    def _validate(self, schema: dict[str, Any], body: bytes) -> None:
        """Validate a body against `schema`, which is `_error` or a schema from the document. Identical bodies are validated only
        once.

        Many tests read the same bundles, and most errors differ only in the request id."""
        body = _REQUEST_ID.sub(b'"requestId":"0123456789abcdef0123456789abcdef"', body)
        if (id(schema), body) in self._valid:
            return
        if id(schema) not in self._validators:
            components = self.document["components"]
            self._validators[id(schema)] = Draft202012Validator({**schema, "components": components})
        self._validators[id(schema)].validate(orjson.loads(body))
        self._valid.add((id(schema), body))


@cache
def response_check(base_path: str) -> ResponseCheck:
    """Return the response check for services with this base path, which all have the same OpenAPI document."""
    document = openapi_document(base_path, ALL_ENDPOINTS)
    return ResponseCheck(orjson.loads(orjson.dumps(document)))
