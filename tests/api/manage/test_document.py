"""The OpenAPI document of the management API is valid and describes every route."""

from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from bundlesvc.api.manage.api import MANAGE_PATH
from bundlesvc.api.manage.document import DOCUMENT_PATH
from bundlesvc.api.manage.revisions.item_examples import EXAMPLES
from bundlesvc.shop_file.json_schema import item_components
from bundlesvc.shop_file.plain import canonical_item
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


def test_document_contains_the_schemas_of_items(document: Json) -> None:
    """The document contains the schemas for the items of a revision, which are derived from the description of the shop file."""
    schemas = document["components"]["schemas"]
    assert {name: schemas[name] for name in item_components()} == item_components()


@pytest.mark.parametrize(
    ("method", "path", "sent", "read"),
    [
        ("put", "/revisions/{number}/bundles/{id}", "BundleInput", "Bundle"),
        ("post", "/revisions/{number}/bundles", "BundleInput", "Bundle"),
        ("patch", "/revisions/{number}/bundles/{id}", "BundlePatch", "Bundle"),
        ("get", "/revisions/{number}/products/{id}", None, "Product"),
        ("put", "/revisions/{number}/markets/{id}", "MarketInput", "Market"),
        ("patch", "/revisions/{number}/experiments/{id}", "ExperimentPatch", "Experiment"),
        ("put", "/revisions/{number}/shop", "Shop", "Shop"),
    ],
)
def test_bodies_refer_to_the_schemas_of_items(
    document: Json, method: str, path: str, sent: str | None, read: str
) -> None:
    operation = document["paths"][f"{MANAGE_PATH}{path}"][method]
    if sent is not None:
        assert schema_of(operation["requestBody"]) == {"$ref": f"#/components/schemas/{sent}"}
    assert schema_of(operation["responses"]["200"]) == {
        "anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in (read, "InvalidItem")]
    }


def schema_of(body: Json) -> Json:
    found: Json = body["content"]["application/json"]["schema"]
    return found


@pytest.mark.parametrize("kind", EXAMPLES)
def test_examples_of_items_are_as_the_api_writes_them(kind: str) -> None:
    assert canonical_item(kind, EXAMPLES[kind]) == EXAMPLES[kind]
