"""The OpenAPI document of the management API is valid, and describes what it sends."""

from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from bundlesvc.api.manage.document import DOCUMENT_PATH, ManageDocument
from bundlesvc.api.manage.routes import ENDPOINTS, MANAGE_PATH
from tests.api.manage.conftest import Json, Manage, order_of
from tests.api.openapi import ResponseCheck


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(ManageDocument().body)
    return found


def test_document_is_valid(document: Json) -> None:
    OpenAPIV31SpecValidator(document).validate()
    assert {path.removeprefix(MANAGE_PATH) for path in document["paths"]} == {each.path for each in ENDPOINTS}


def test_examples_match_their_schemas(document: Json) -> None:
    for operations in document["paths"].values():
        for operation in operations.values():
            sent = [operation["requestBody"]["content"]] if "requestBody" in operation else []
            got = [each["content"] for each in operation["responses"].values() if "content" in each]
            for content in (*sent, *got):
                body = content["application/json"]
                named = [each["value"] for each in body.get("examples", {}).values()]
                for example in [body["example"]] if "example" in body else named:
                    schema = {**body["schema"], "components": document["components"]}
                    assert list(Draft202012Validator(schema).iter_errors(example)) == []


async def test_responses_match_the_document(manage: Manage, configured: Json) -> None:
    async with manage.client.get(DOCUMENT_PATH) as sent:
        check = ResponseCheck(orjson.loads(await sent.read()))
    order, path = order_of(configured), f"{MANAGE_PATH}/orders"
    quote = {"lines": [{"line": "a", "quantity": 1}], "policy": "proportional"}
    for method, below, response in (
        ("POST", "", await manage.send(order)),
        ("POST", "", await manage.send({**order, "name": "#2"})),
        ("POST", "", await manage.send({**order, "rate": "2"})),
        ("GET", "", await manage.list()),
        ("GET", "", await manage.list("?limit=0")),
        ("GET", "/1001", await manage.read("1001")),
        ("GET", "/1002", await manage.read("1002")),
        ("POST", "/1001/refund-quote", await manage.quote("1001", quote)),
        ("POST", "/1001/refund-quote", await manage.quote("1001", {**quote, "lines": [{"line": "x", "quantity": 1}]})),
        ("GET", "", await Manage(manage.client, None).list()),
    ):
        check.check(method, f"{path}{below}", response.status, response.body)
