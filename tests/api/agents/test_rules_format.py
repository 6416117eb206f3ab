"""The published format of rules (docs/bundle-rules.schema.json)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from marshmallow import Schema, fields

from bundlesvc.api.agents.results import RULES_FORMAT, RulesSchema
from bundlesvc.domain.bundle import CUMULATIVE, DISCOUNT_TYPES, MAX, TIER_TYPES
from bundlesvc.domain.measures import COMPARISONS, WEIGHT_UNITS
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from tests.api.agents.assistant import Assistant, Json

DOCS = Path(__file__).parents[3] / "docs"
SCHEMA = json.loads((DOCS / "bundle-rules.schema.json").read_text("utf-8"))
CONDITIONS = json.loads((DOCS / "conditions.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

DEFINED: dict[str, Json] = {name: SCHEMA["$defs"][name]["properties"] for name in ("limit", "discount", "tier")}


def test_the_schema_is_a_schema_of_this_version() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == SCHEMA["properties"]["schema"]["const"] == RULES_FORMAT
    assert CONDITIONS["$id"] in SCHEMA["properties"]["conditionNodes"]["description"]


def test_the_schema_has_every_type_and_operation() -> None:
    assert [each["const"] for each in DEFINED["limit"]["type"]["oneOf"]] == list(RULE_TYPES)
    assert SCHEMA["$defs"]["operation"]["enum"] == list(COMPARISONS)
    assert SCHEMA["properties"]["weightUnit"]["enum"] == list(WEIGHT_UNITS)
    assert DEFINED["discount"]["type"]["enum"] == list(DISCOUNT_TYPES)
    assert DEFINED["discount"]["operator"]["enum"] == [MAX, CUMULATIVE, None]
    assert DEFINED["tier"]["type"]["enum"] == list(TIER_TYPES)


def properties_of(schema: Schema, path: str = "") -> Iterator[str]:
    """Yield the paths of all properties of a response schema."""
    for name, field in schema.fields.items():
        yield f"{path}.{name}"
        inner = field.inner if isinstance(field, fields.List) else field
        if isinstance(inner, fields.Nested):
            yield from properties_of(inner.schema, f"{path}.{name}")


def described(schema: Json, path: str = "") -> Iterator[str]:
    """Yield the paths of all properties of a JSON Schema, and check that each one is required."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    for choice in schema.get("oneOf", ()):
        yield from described(choice, path)
    if "items" in schema:
        yield from described(schema["items"], path)
    for name, inner in schema.get("properties", {}).items():
        assert name in schema["required"]
        yield f"{path}.{name}"
        yield from described(inner, f"{path}.{name}")


def test_the_schema_has_every_property_that_is_sent() -> None:
    assert sorted(described(SCHEMA)) == sorted(properties_of(RulesSchema()))


async def test_the_schema_accepts_the_rules_of_every_bundle(assistant: Assistant) -> None:
    listed = (await assistant.call("list_bundles", {"limit": 100}))["bundles"]
    for bundle in listed:
        rules = (await assistant.call("get_bundle", {"bundleId": bundle["id"]}))["rules"]
        VALIDATOR.validate(rules)
        Draft202012Validator(CONDITIONS).validate(rules["conditionNodes"])
    assert len(listed) > 10


async def test_the_schema_is_served(assistant: Assistant) -> None:
    async with assistant.api.client.get("/docs/markdown/bundle-rules.schema.json") as response:
        assert await response.json() == SCHEMA


LIMIT: dict[str, Any] = {
    "type": "total-number-of-products",
    "operation": "gte",
    "value": "3",
    "sectionId": None,
    "sentence": "Choose at least 3 items for the bundle.",
}
RULES: dict[str, Any] = {
    "schema": RULES_FORMAT,
    "currency": "EUR",
    "weightUnit": "kg",
    "limits": [LIMIT],
    "required": [{"product": "1", "variants": [], "quantity": 1, "sentence": "One."}],
    "conditions": [],
    "conditionNodes": [],
    "discount": None,
    "discountSentence": None,
    "subscription": {"required": False, "sentence": None},
}


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "urn:bundlesvc:bundle-rules:2"},
        {"currency": "euro"},
        {"weightUnit": "stone"},
        {"limits": [{**LIMIT, "type": "colour"}]},
        {"limits": [{**LIMIT, "operation": "about"}]},
        {"limits": [{**LIMIT, "value": "three"}]},
        {"limits": [{**LIMIT, "sentence": ""}]},
        {"limits": [{name: value for name, value in LIMIT.items() if name != "sectionId"}]},
        {"required": [{"product": "1", "variants": [], "quantity": 0, "sentence": "None."}]},
        {"required": [{"product": 1, "variants": [], "quantity": 1, "sentence": "One."}]},
        {"discount": {"type": "percentage", "value": "10.00"}},
        {"subscription": None},
    ],
)
def test_the_schema_refuses_other_rules(change: Json) -> None:
    assert VALIDATOR.is_valid(RULES)
    assert VALIDATOR.is_valid({**RULES, "limits": [{**LIMIT, "type": "multiples-of", "operation": ""}]})
    assert VALIDATOR.is_valid({**RULES, "addedLater": True})
    assert not VALIDATOR.is_valid({**RULES, **change})
