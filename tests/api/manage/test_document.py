"""The OpenAPI document of the management API is valid, and describes every route of its parts."""

from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from bundlesvc.api.manage.api import MANAGE_PATH
from bundlesvc.api.manage.document import DOCUMENT_PATH
from tests.api.conftest import Api
from tests.api.manage.conftest import Json


@pytest.fixture
async def document(api: Api) -> dict[str, Any]:
    async with api.client.get(DOCUMENT_PATH) as sent:
        found: dict[str, Any] = orjson.loads(await sent.read())
    return found


def test_document_is_valid(document: Json) -> None:
    OpenAPIV31SpecValidator(document).validate()


def test_document_describes_every_route(api: Api, document: Json) -> None:
    resources = api.client.app.router.resources()
    served = {resource.canonical for resource in resources if resource.canonical.startswith(MANAGE_PATH)}
    assert {*document["paths"]} == served


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
