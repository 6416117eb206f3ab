"""The JSON Schema of shop files accepts every file that loads, and reports the mistakes that an editor can detect."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from bundlesvc.shop_file.json_schema import shop_file_schema

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "docs" / "shop-file.schema.json"
SCHEMA = shop_file_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
SHOP_FILES = sorted(
    [*ROOT.glob("config/*shop*.yaml"), *ROOT.glob("tests/**/*shop*.yaml"), *ROOT.glob("tests/shop_file/*.yaml")]
)


class EditorLoader(yaml.SafeLoader):
    """A loader that reads YAML 1.2 as editors do: `NO` is a string."""

    yaml_implicit_resolvers: dict[str, Any] = {}


for tag, pattern, first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"null|Null|NULL|~|", ["n", "N", "~", ""]),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    EditorLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"(?:{pattern})\Z"), list(first))


def editor_view(text: str) -> Any:
    return yaml.load(text, EditorLoader)


def faults(document: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(document)]


FULL = (ROOT / "tests/shop_file/full.yaml").read_text("utf-8")


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_shipped_schema_is_the_generated_one() -> None:
    """The shipped schema is the generated one. Generate it with: bundlesvc schema > docs/shop-file.schema.json"""
    assert json.loads(SHIPPED.read_text("utf-8")) == SCHEMA


@pytest.mark.parametrize("path", SHOP_FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_schema_accepts_the_shop_files(path: Path) -> None:
    assert faults(editor_view(path.read_text("utf-8"))) == []


def test_every_key_is_described_in_the_guide() -> None:
    guide = (ROOT / "docs" / "shop-file.md").read_text("utf-8") + (ROOT / "docs" / "conditions.md").read_text("utf-8")
    keys = {key for part in SCHEMA["$defs"].values() for key in part.get("properties", {})}
    assert sorted(key for key in keys if not re.search(rf"\b{key}\b", guide)) == []


def test_every_key_has_a_description() -> None:
    for part in [SCHEMA, *SCHEMA["$defs"].values()]:
        assert all(schema["description"] for schema in part.get("properties", {}).values())


def bundle(document: Any) -> Any:
    return document["bundles"][0]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda shop: shop.pop("shop"), "$"),
        (lambda shop: shop.update(bundels=[]), "$"),
        (lambda shop: shop["shop"].update(currency="euro"), "$.shop.currency"),
        (lambda shop: shop["shop"].update(handle="my shop"), "$.shop.handle"),
        (lambda shop: shop["shop"].update(moneyFormat="EUR"), "$.shop.moneyFormat"),
        (lambda shop: shop["shop"]["activeFeatures"].append("unknown"), "$.shop.activeFeatures[3]"),
        (lambda shop: shop["markets"][0].update(countryCode="QQ"), "$.markets[0].countryCode"),
        (lambda shop: shop["markets"][0].update(exchangeRate=0), "$.markets[0].exchangeRate"),
        (lambda shop: shop["markets"][0].update(priceAdjustment=-100), "$.markets[0].priceAdjustment"),
        (lambda shop: shop["products"][0]["variants"][0].update(price=-1), "$.products[0].variants[0].price"),
        (lambda shop: shop["products"][0]["variants"][0].update(price="1.999"), "$.products[0].variants[0].price"),
        (lambda shop: shop["products"][0].update(status="active"), "$.products[0].status"),
        (lambda shop: bundle(shop).update(type="bundle"), "$.bundles[0].type"),
        (lambda shop: bundle(shop).pop("name"), "$.bundles[0]"),
        (lambda shop: bundle(shop).update(published="maybe"), "$.bundles[0].published"),
        (lambda shop: bundle(shop)["sections"][0].update(id=0), "$.bundles[0].sections[0].id"),
        (lambda shop: bundle(shop)["limitRules"][0].update(type="weight"), "$.bundles[0].limitRules[0].type"),
        (lambda shop: bundle(shop)["requiredProducts"][0].update(quantity=0), "$.bundles[0].requiredProducts[0].quantity"),
        (lambda shop: bundle(shop)["conditions"][0].pop("value"), "$.bundles[0].conditions[0]"),
        (lambda shop: bundle(shop)["conditions"][0].update(values="3"), "$.bundles[0].conditions[0]"),
        (lambda shop: bundle(shop)["conditions"][8].update(mode="some"), "$.bundles[0].conditions[8].mode"),
        (lambda shop: bundle(shop)["translations"].update({"german": {}}), "$.bundles[0].translations"),
        (lambda shop: shop["experiments"][0]["arms"][0].update(weight=0), "$.experiments[0].arms[0].weight"),
    ],
)  # fmt: skip
def test_schema_reports_the_fault(change: Callable[[Any], object], path: str) -> None:
    document = editor_view(FULL)
    change(document)
    assert [fault.partition(": ")[0] for fault in faults(document)] == [path]


def test_schema_leaves_unknown_kinds_of_nodes_to_others() -> None:
    document = editor_view(FULL)
    bundle(document)["conditions"].append({"id": "n", "kind": "new-kind", "anything": {"deep": 1}})
    assert faults(document) == []
