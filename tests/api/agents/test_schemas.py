"""The schemas in tools/list: valid JSON Schemas that accept valid arguments and describe the results."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bundlesvc.api.agents.arguments import ConfigureArguments
from bundlesvc.api.agents.explanations import DETAILS, ERRORS, EXPLAINED
from bundlesvc.api.agents.json_schema import schema_of
from bundlesvc.api.agents.tools import TOOLS
from bundlesvc.api.agents.tools.completion import COMPLETE_SELECTION_TOOL
from bundlesvc.api.errors import CODES
from bundlesvc.api.responses.errors import DETAIL_CODES
from tests.api.agents.assistant import Assistant, Json

BY_NAME = {tool.name: tool for tool in (*TOOLS, COMPLETE_SELECTION_TOOL)}
BUNDLES = [10, 20, 23, 30, 31, 40, 41, 50]


@pytest.mark.parametrize("name", BY_NAME)
def test_schemas_are_valid_and_complete_in_themselves(name: str) -> None:
    definition = BY_NAME[name].definition()
    for schema in (definition["inputSchema"], definition["outputSchema"]):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert "$ref" not in str(schema)
        assert "example" not in str(schema)
    for argument in definition["inputSchema"]["properties"].values():
        assert argument.get("description"), argument


@pytest.mark.parametrize("name", BY_NAME)
def test_only_configure_stores_something(name: str) -> None:
    assert BY_NAME[name].definition()["annotations"]["readOnlyHint"] is (name != "configure")


@pytest.mark.parametrize("bundle_id", BUNDLES)
async def test_every_bundle_is_as_described(assistant: Assistant, bundle_id: int) -> None:
    validator = Draft202012Validator(schema_of(BY_NAME["get_bundle"].result))
    for more in ({}, {"countryCode": "US", "language": "de"}):
        validator.validate(await assistant.call("get_bundle", {"bundleId": bundle_id, **more}))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_bundles", {}),
        ("check_selection", {"bundleId": 10, "products": [{"variant": "1001", "product": "100", "section": 1}]}),
        ("price_selection", {"bundleId": 20, "products": [{"variant": "1001", "product": "100", "section": 1}]}),
        ("explain_refusal", {"code": "sold_out"}),
    ],
)
async def test_every_result_is_as_described(assistant: Assistant, tool: str, arguments: Json) -> None:
    Draft202012Validator(schema_of(BY_NAME[tool].arguments)).validate(arguments)
    Draft202012Validator(schema_of(BY_NAME[tool].result)).validate(await assistant.call(tool, arguments))


@pytest.mark.parametrize("bundle_id", [20, 30])
async def test_configured_bundle_is_as_described(buyer: Assistant, bundle_id: int) -> None:
    products = [{"variant": "1002", "product": "100", "section": 1, "quantity": 2}]
    arguments = {"bundleId": bundle_id, "products": products, "idempotencyKey": "k", "countryCode": "US"}
    Draft202012Validator(schema_of(ConfigureArguments())).validate(arguments)
    configured = await buyer.call("configure", arguments)
    Draft202012Validator(schema_of(BY_NAME["configure"].result)).validate(configured)


@pytest.mark.parametrize(
    "change",
    [
        {"bundleId": 0},
        {"idempotencyKey": ""},
        {"idempotencyKey": " a"},
        {"products": []},
        {"products": [{"variant": "1001", "product": "100", "section": 1, "quantity": 0}]},
        {"products": [{"variant": "1001", "product": "100", "section": 1, "count": 1}]},
        {"country": "US"},
        {"countryCode": "USA"},
    ],
)
def test_schema_refuses_what_the_tool_refuses(change: dict[str, Any]) -> None:
    products = [{"variant": "1001", "product": "100", "section": 1}]
    valid: Json = {"bundleId": 20, "products": products, "idempotencyKey": "k"}
    validator = Draft202012Validator(schema_of(ConfigureArguments()))
    assert validator.is_valid(valid)
    assert not validator.is_valid({**valid, **change})


def test_every_code_has_an_explanation() -> None:
    assert set(ERRORS) == set(CODES)
    assert set(DETAILS) == set(DETAIL_CODES)


@pytest.mark.parametrize("code", sorted(EXPLAINED))
async def test_explanation_says_what_to_do(assistant: Assistant, code: str) -> None:
    explained = await assistant.call("explain_refusal", {"code": code})
    assert explained["code"] == code
    assert explained["meaning"].endswith(".")
    assert explained["nextStep"].endswith(".")
