"""Checks a response against the OpenAPI document."""

import re
from functools import cache
from typing import Any

import orjson
from jsonschema import Draft202012Validator

_PARAMETER = re.compile(r"\{[^}]+\}")


def check_response(document: dict[str, Any], method: str, path: str, status: int, body: bytes) -> None:
    """Fails when the document has no such response, or the body is not of its schema.

    A path that is not in the document may only send errors of the common shape.
    """
    operation = _operation(document, method, path.partition("?")[0])
    if operation is None:
        assert status >= 400, f"{method} {path} answered {status} and is not documented"
        if method == "HEAD":
            assert body == b""
            return
        _validator(orjson.dumps(document), "#/components/schemas/Error").validate(orjson.loads(body))
        return
    responses = operation["responses"]
    assert str(status) in responses, f"{method} {path} answered {status}, which is not documented"
    schema = responses[str(status)].get("content", {}).get("application/json", {}).get("schema")
    if schema is None or method == "HEAD":
        assert body == b"" or schema is None
        return
    content = orjson.loads(body)
    Draft202012Validator({**schema, "components": document["components"]}).validate(content)
    if status >= 400:
        assert content["code"] in responses[str(status)]["content"]["application/json"]["examples"]


def _operation(document: dict[str, Any], method: str, path: str) -> dict[str, Any] | None:
    asked = "get" if method == "HEAD" else method.lower()
    for template, operations in document["paths"].items():
        if re.fullmatch(_PARAMETER.sub("[^/]+", template), path) and asked in operations:
            found: dict[str, Any] = operations[asked]
            return found
    return None


@cache
def _validator(document: bytes, reference: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": reference, "components": orjson.loads(document)["components"]})
