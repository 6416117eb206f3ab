"""The published format of conditions (docs/conditions.schema.json), and the example in docs/conditions.md.

tests/storefront/guide.test.mjs runs the example's code."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from marshmallow import ValidationError

from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES
from bundlesvc.shop_file.conditions import KNOWN_SCHEMAS, ConditionNode
from bundlesvc.shop_file.loading import read_shop_file
from tests.domain.condition_cases import Json, Vector, read_vectors

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "conditions.md").read_text("utf-8")
SCHEMA = json.loads((ROOT / "docs" / "conditions.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

VECTORS = read_vectors()
SHOP_FILES = [
    ROOT / "tests/shop_file/full.yaml",
    ROOT / "tests/api/shop.yaml",
    *sorted(ROOT.glob("config/*shop*.yaml")),
]


def faults(graph: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(graph)]


def test_shop_file_format_has_the_keys_of_every_type() -> None:
    assert [type_ for _, type_ in KNOWN_SCHEMAS] == [*CONDITION_TYPES, *ACTION_TYPES]


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_schema_accepts_the_graphs_of_the_vectors(vector: Vector) -> None:
    assert faults(vector.nodes) == []


@pytest.mark.parametrize("path", SHOP_FILES, ids=lambda path: path.name)
def test_schema_accepts_the_graphs_of_the_example_shops(path: Path) -> None:
    """The schema accepts the condition graphs of the example shops, both as they are stored and as they are sent (without the
    nodes that are stripped)."""
    graphs = [(list(bundle.conditions), list(bundle.graph.nodes)) for bundle in read_shop_file(path).bundles]
    assert any(sent for _, sent in graphs)
    assert [faults(graph) for both in graphs for graph in both if faults(graph)] == []


TOTAL: Json = {"id": "n", "kind": "condition", "type": "total-products", "operation": "gte", "value": "3"}
VARIANT: Json = {"id": "n", "kind": "condition", "type": "variant-selected", "variantId": "11"}
PRODUCT: Json = {**TOTAL, "type": "product-quantity", "productId": "1"}
SECTION: Json = {**TOTAL, "type": "section-quantity", "sectionId": 1}
COUNTRY: Json = {"id": "n", "kind": "condition", "type": "country", "operation": "eq", "value": "DE"}
SUBSCRIPTION: Json = {"id": "n", "kind": "condition", "type": "subscription-chosen"}
GROUP: Json = {"id": "n", "kind": "group", "mode": "all", "children": ["c1"]}
DISCOUNT: Json = {
    "id": "n",
    "kind": "action",
    "type": "discount",
    "discount": {"type": "percentage", "value": "100.00"},
}
FREE_ITEM: Json = {"id": "n", "kind": "action", "type": "free-item", "variantId": "11", "quantity": 1}
MESSAGE: Json = {"id": "n", "kind": "action", "type": "message", "text": ""}
HIDE_SECTION: Json = {"id": "n", "kind": "action", "type": "hide-section", "sectionId": 1}
HIDE_PRODUCT: Json = {"id": "n", "kind": "action", "type": "hide-product", "productId": "1", "sectionId": None}
GOOD: list[Json] = [
    *(TOTAL | {"type": type_} for type_ in ("total-products", "total-price", "total-weight")),
    PRODUCT,
    VARIANT,
    SECTION,
    COUNTRY,
    SUBSCRIPTION,
    GROUP,
    DISCOUNT,
    FREE_ITEM,
    MESSAGE,
    MESSAGE | {"type": "block-cart"},
    HIDE_SECTION,
    HIDE_SECTION | {"type": "goto-section"},
    HIDE_PRODUCT,
]


@pytest.mark.parametrize("node", GOOD, ids=lambda node: node.get("type", node["kind"]))
def test_schema_accepts_each_type_with_its_fields(node: Json) -> None:
    assert faults([node]) == []


@pytest.mark.parametrize("node", GOOD, ids=lambda node: node.get("type", node["kind"]))
def test_shop_file_has_the_same_fields(node: Json) -> None:
    loaded = ConditionNode().deserialize(as_written(node))
    assert loaded | node == loaded


def as_written(node: Json) -> Json:
    """Return a node as read from a shop file, where numbers are strings."""
    return {key: str(value) if isinstance(value, int) else value for key, value in node.items()}


def test_all_types_are_tested() -> None:
    assert {node.get("type") for node in GOOD} == {*CONDITION_TYPES, *ACTION_TYPES, None}


NEEDED = [
    (node, field)
    for node in GOOD
    for field in node
    if (field, node.get("type")) not in {("operation", "country"), ("sectionId", "hide-product")}
]


@pytest.mark.parametrize(("node", "field"), NEEDED)
def test_schema_requires_every_needed_field(node: Json, field: str) -> None:
    assert faults([{name: value for name, value in node.items() if name != field}]) != []


@pytest.mark.parametrize(
    ("node", "field"),
    [one for one in NEEDED if one[1] not in ("children", "quantity")],  # a shop file may omit these
)
def test_shop_file_requires_every_needed_field(node: Json, field: str) -> None:
    written = as_written({name: value for name, value in node.items() if name != field})
    with pytest.raises(ValidationError):
        ConditionNode().deserialize(written)


@pytest.mark.parametrize("node", GOOD, ids=lambda node: node.get("type", node["kind"]))
def test_schema_refuses_other_fields_of_known_types(node: Json) -> None:
    assert faults([node | {"colour": "red"}]) != []


@pytest.mark.parametrize(
    "graph",
    [
        pytest.param({"nodes": [TOTAL]}, id="no list"),
        pytest.param([[TOTAL]], id="a list in the list"),
        pytest.param(["c1"], id="an id for a node"),
        pytest.param([TOTAL | {"id": 1}], id="an id that is a number"),
        pytest.param([TOTAL | {"id": " "}], id="an id that is blank"),
        pytest.param([TOTAL | {"operation": "between"}], id="an operation that does not exist"),
        pytest.param([TOTAL | {"value": 3}], id="a value that is a number"),
        pytest.param([TOTAL | {"value": "-1"}], id="a negative value"),
        pytest.param([TOTAL | {"value": "1e3"}], id="a value with an exponent"),
        pytest.param([TOTAL | {"value": "1" + "0" * 12}], id="a value that is too large"),
        pytest.param([TOTAL | {"value": "0." + "0" * 13}], id="a value with too many decimals"),
        pytest.param([TOTAL | {"sectionId": 0}], id="section 0 is none"),
        pytest.param([TOTAL | {"sectionId": "1"}], id="a section that is text"),
        pytest.param([SECTION | {"sectionId": None}], id="a section that is needed and null"),
        pytest.param([TOTAL | {"when": "c1"}], id="a condition with a cause"),
        pytest.param([PRODUCT | {"productId": 1}], id="a product that is a number"),
        pytest.param([VARIANT | {"variantId": "gid://platform/ProductVariant/11"}], id="a global id"),
        pytest.param([VARIANT | {"operation": "is"}], id="an optional operation that does not exist"),
        pytest.param([COUNTRY | {"operation": "gte"}], id="a country compared otherwise"),
        pytest.param([COUNTRY | {"value": "Germany"}], id="a country that is not a code"),
        pytest.param([SUBSCRIPTION | {"value": "1"}], id="a value where none is read"),
        pytest.param([GROUP | {"mode": "most"}], id="a mode that does not exist"),
        pytest.param([GROUP | {"children": "c1"}], id="children that are not a list"),
        pytest.param([GROUP | {"children": None}], id="no children at all"),
        pytest.param([GROUP | {"children": ["c1", 2]}], id="a child that is not an id"),
        pytest.param([MESSAGE | {"when": ["c1"]}], id="a cause that is not an id"),
        pytest.param([MESSAGE | {"text": None}], id="a text that is null"),
        pytest.param([DISCOUNT | {"discount": {"type": "percentage", "value": "100.01"}}], id="more than 100 percent"),
        pytest.param([DISCOUNT | {"discount": {"type": "fixed", "value": "1.005"}}], id="an amount of three decimals"),
        pytest.param(
            [DISCOUNT | {"discount": {"type": "free", "value": "1"}}], id="a discount type that does not exist"
        ),
        pytest.param([DISCOUNT | {"discount": {"type": "fixed"}}], id="a discount without a value"),
        pytest.param(
            [DISCOUNT | {"discount": {"type": "fixed", "value": "1", "minimum": "9"}}], id="a discount with a minimum"
        ),
        pytest.param([FREE_ITEM | {"quantity": 0}], id="no free items"),
        pytest.param([FREE_ITEM | {"quantity": "1"}], id="a quantity that is text"),
        pytest.param(
            [{"id": "x1", "kind": "schedule", "children": [1]}], id="an unknown kind with children of its own"
        ),
        pytest.param([{"id": "x1", "kind": "condition", "type": None}], id="a type that is null"),
    ],
)
def test_schema_refuses_other_values(graph: object) -> None:
    assert faults(graph) != []


@pytest.mark.parametrize(
    "node",
    [
        pytest.param({"id": "x1", "kind": "cascade-variant", "depth": "3", "deep": {"of": [1, None]}}, id="a kind"),
        pytest.param({"id": "x1", "kind": "condition", "type": "moon-phase", "value": -1}, id="a type of condition"),
        pytest.param({"id": "x1", "kind": "action", "type": "fireworks", "when": "c1"}, id="a type of action"),
    ],
)
def test_schema_accepts_any_fields_of_unknown_types(node: Json) -> None:
    assert faults([node]) == []


def test_every_graph_in_the_guide_is_valid() -> None:
    graphs = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)]
    assert graphs
    assert [faults(graph) for graph in graphs] == [[] for _ in graphs]


def test_the_worked_example_is_among_the_vectors() -> None:
    """The vectors contain the example's graph, and a case for each selection in its table."""
    example = GUIDE.partition("## A worked example")[2].partition("\n## ")[0]
    (graph,) = re.findall(r"```json\n(.*?)```", example, re.DOTALL)
    rows = re.findall(r"^\| (\d.*?) \|", example, re.MULTILINE)
    vectors = {vector.name.removeprefix("worked example: "): vector.nodes for vector in VECTORS}

    assert rows
    assert [vectors[row] for row in rows] == [json.loads(graph)] * len(rows)
