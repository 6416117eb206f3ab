"""Condition nodes: which values are converted, and which graphs are refused."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.shop_file.shop_files import FULL, Broken, assert_broken, faults, load

HEAD = "shop: {handle: s, currency: EUR}\nbundles:\n- id: 1\n  name: B\n  type: native\n  conditions:\n"


@pytest.fixture(scope="module")
def nodes() -> Mapping[str, Mapping[str, Any]]:
    return {node["id"]: node for node in load(FULL).bundles[0].conditions}


@pytest.mark.parametrize(
    "node",
    [
        {
            "id": "c1",
            "kind": "condition",
            "type": "total-products",
            "operation": "gte",
            "value": "3",
            "sectionId": None,
        },
        {"id": "c3", "kind": "condition", "type": "country", "value": "NO"},
        {"id": "c4", "kind": "condition", "type": "section-quantity", "sectionId": 1, "operation": "eq", "value": "2"},
        {
            "id": "c5",
            "kind": "condition",
            "type": "product-quantity",
            "productId": "111",
            "operation": "lt",
            "value": "9",
        },
        {"id": "c6", "kind": "condition", "type": "subscription-chosen"},
        {"id": "g1", "kind": "group", "mode": "all", "children": ["c1", "c2", "g2"]},
        {
            "id": "a1",
            "kind": "action",
            "type": "discount",
            "when": "g1",
            "discount": {"type": "percentage", "value": "15"},
        },
        {"id": "a2", "kind": "action", "type": "free-item", "when": "c1", "variantId": "2001", "quantity": 2},
        {"id": "a3", "kind": "action", "type": "message", "text": "Hello"},
        {"id": "a5", "kind": "action", "type": "hide-product", "when": "c1", "productId": "222", "sectionId": None},
    ],
    ids=lambda node: node["id"],
)
def test_nodes_have_the_keys_of_the_wire(nodes: Mapping[str, Mapping[str, Any]], node: dict[str, Any]) -> None:
    assert nodes[node["id"]] == node


def test_variant_selected_has_defaults(nodes: Mapping[str, Mapping[str, Any]]) -> None:
    assert nodes["c2"] == {
        "id": "c2",
        "kind": "condition",
        "type": "variant-selected",
        "variantId": "1001",
        "operation": "gte",
        "value": "1",
    }


def test_nodes_are_in_the_order_of_the_file() -> None:
    ids = [node["id"] for node in load(FULL).bundles[0].conditions]
    assert ids == [*(f"c{n}" for n in range(1, 9)), "g1", "g2", *(f"a{n}" for n in range(1, 8)), "x1"]


def test_unknown_nodes_are_not_run() -> None:
    graph = load(FULL).bundles[0].graph
    assert graph.partial
    assert {"x1", "g2", "g1", "a1", "a7"}.isdisjoint(node["id"] for node in graph.nodes)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (
            "{id: x, kind: cascade-variant, depth: 3, deep: {of: [1, null, yes]}}",
            {"id": "x", "kind": "cascade-variant", "depth": "3", "deep": {"of": ["1", None, "yes"]}},
        ),
        (
            "{id: x, kind: condition, type: moon-phase, value: -1}",
            {"id": "x", "kind": "condition", "type": "moon-phase", "value": "-1"},
        ),
        ("{id: x, kind: action, type: sing, when: null}", {"id": "x", "kind": "action", "type": "sing", "when": None}),
        (
            "{id: x, kind: action, type: sing, sectionId: 9}",
            {"id": "x", "kind": "action", "type": "sing", "sectionId": "9"},
        ),
        ("{id: x, kind: Group, mode: [most]}", {"id": "x", "kind": "Group", "mode": ["most"]}),
    ],
)
def test_unknown_nodes_stay_as_they_are_written(written: str, kept: dict[str, Any]) -> None:
    (node,) = load(f"{HEAD}  - {written}").bundles[0].conditions
    assert node == kept


def test_children_are_optional() -> None:
    (node,) = load(f"{HEAD}  - {{id: g, kind: group, mode: any}}").bundles[0].conditions
    assert node["children"] == []


def test_the_quantity_of_a_free_item_defaults_to_1() -> None:
    text = FULL.replace('variantId: "2001", quantity: 2', 'variantId: "2001"')
    assert next(node for node in load(text).bundles[0].conditions if node["id"] == "a2")["quantity"] == 1


AT = "bundles.0.conditions"
BROKEN = [
    Broken("{id: c8, kind", "{kind", f"{AT}.7.id", "required"),
    Broken("id: c7, kind: condition,", "id: c7,", f"{AT}.6.kind", "required"),
    Broken("id: c7, kind: condition,", "id: c7, kind: ~,", f"{AT}.6.kind", "required"),
    Broken("type: subscription-chosen", "typ: x", f"{AT}.5.type", "required"),
    Broken("type: subscription-chosen", "type: [x]", f"{AT}.5.type", "single value"),
    Broken("type: subscription-chosen", "type: subscription-chosen, value: 1", f"{AT}.5.value", "Unknown key 'value'."),
    Broken("{id: c4, kind", "{id: c4, sectionID: 1, kind", f"{AT}.3.sectionID", "Did you mean 'sectionId'?"),
    Broken("sectionId: 1, operation: eq", "operation: eq", f"{AT}.3.sectionId", "required"),
    Broken("operation: eq, value: 2", "operation: eq", f"{AT}.3.value", "required"),
    Broken("operation: eq, value: 2", "value: 2", f"{AT}.3.operation", "required"),
    Broken("operation: eq, value: 2", "operation: ==, value: 2", f"{AT}.3.operation", "gt, gte, lt, lte, eq"),
    Broken("operation: eq, value: 2", "operation: eq, value: two", f"{AT}.3.value", "not a decimal number"),
    Broken('productId: "111", operation: lt', "operation: lt", f"{AT}.4.productId", "required"),
    Broken('productId: "111", operation: lt', "productId: x, operation: lt", f"{AT}.4.productId", "not an id"),
    Broken("type: country, value: no", "type: country, value: Norway", f"{AT}.2.value", "not a country code"),
    Broken("type: country, value: no", "type: country, operation: gte, value: no", f"{AT}.2.operation", "eq"),
    Broken("mode: none", "mode: never", f"{AT}.9.mode", "all, any, none"),
    Broken("mode: none, ", "", f"{AT}.9.mode", "required"),
    Broken("children: [c3, x1]", "children: c3", f"{AT}.9.children", "a list"),
    Broken("children: [c3, x1]", "children: [c3, [x1]]", f"{AT}.9.children.1", "single value"),
    Broken("children: [c3, x1]", "children: [c3], type: any", f"{AT}.9.type", "Unknown key"),
    Broken('value: "15"}', 'value: "115"}', f"{AT}.10.discount.value", "at most 100"),
    Broken(', value: "15"}', "}", f"{AT}.10.discount.value", "required"),
    Broken(', discount: {type: percentage, value: "15"}', "", f"{AT}.10.discount", "required"),
    Broken('value: "15"}', "value: 15, minimum: 3}", f"{AT}.10.discount.minimum", "Unknown key"),
    Broken('variantId: "2001", quantity: 2', 'variantId: "2001", quantity: 0', f"{AT}.11.quantity", "at least 1"),
    Broken('variantId: "2001", quantity: 2', "quantity: 2", f"{AT}.11.variantId", "required"),
    Broken("type: message, text: Hello", "type: message, text: null", f"{AT}.12.text", "required"),
    Broken("when: g2, text: Not to Norway", "when: g2", f"{AT}.16.text", "required"),
    Broken(
        "type: hide-section, when: c1, sectionId: 2", "type: hide-section, when: c1", f"{AT}.13.sectionId", "required"
    ),
    Broken(
        "type: goto-section, when: c1, sectionId: 1", "type: goto-section, when: c1", f"{AT}.15.sectionId", "required"
    ),
    Broken("children: [c1], depth", "children: c1, depth", f"{AT}.17.children", "a list"),
    Broken("children: [c1], depth", "when: {a: b}, depth", f"{AT}.17.when", "single value"),
    Broken(
        "    personalisation:\n", "      - {id: [x2], kind: x}\n    personalisation:\n", f"{AT}.18.id", "single value"
    ),
]
NAMES = [
    Broken("{id: c6,", "{id: c5,", f"{AT}.5.id", "'c5' already exists"),
    Broken("children: [c1, c2, g2]", "children: [c1, c9, g2]", f"{AT}.8.children.1", "no condition or group 'c9'"),
    Broken("children: [c1, c2, g2]", "children: [c1, a3, g2]", f"{AT}.8.children.1", "'a3' is an action"),
    Broken("type: free-item, when: c1", "type: free-item, when: c9", f"{AT}.11.when", "no condition or group 'c9'"),
    Broken("type: free-item, when: c1", "type: free-item, when: a1", f"{AT}.11.when", "'a1' is an action"),
    Broken("children: [c1], depth", "children: [y1], depth", f"{AT}.17.children.0", "no condition or group 'y1'"),
    Broken("children: [c1], depth", "when: y1, depth", f"{AT}.17.when", "no condition or group 'y1'"),
    Broken("children: [c3, x1]", "children: [c3, g2]", f"{AT}.9.children", "'g2' -> 'g2'"),
    Broken(
        "children: [c1, c2, g2]}\n      - {id: g2, kind: group, mode: none, children: [c3, x1]}",
        "children: [c1, c2, g2]}\n      - {id: g2, kind: group, mode: none, children: [c3, g1]}",
        f"{AT}.8.children",
        "'g1' -> 'g2' -> 'g1'",
    ),
    Broken("children: [c1], depth", "when: x1, depth", f"{AT}.17.when", "'x1' -> 'x1'"),
    Broken("sectionId: 1, operation: eq", "sectionId: 4, operation: eq", f"{AT}.3.sectionId", "no section 4"),
    Broken('value: "1.25", sectionId: 2', 'value: "1.25", sectionId: 4', f"{AT}.7.sectionId", "no section 4"),
    Broken('productId: "111", operation: lt', "productId: 112, operation: lt", f"{AT}.4.productId", "no product 112"),
    Broken('variantId: "2001", quantity: 2', "variantId: 2002, quantity: 2", f"{AT}.11.variantId", "no variant 2002"),
    Broken('productId: "222", sectionId: null', "productId: 222, sectionId: 3", f"{AT}.14.sectionId", "no section 3"),
]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: f"{broken.path}-{broken.message}")
def test_each_broken_node_is_one_fault_in_its_line(broken: Broken) -> None:
    assert_broken(broken)


@pytest.mark.parametrize("broken", NAMES, ids=lambda broken: f"{broken.path}-{broken.message}")
def test_references_of_nodes_must_exist(broken: Broken) -> None:
    assert_broken(broken)


def test_every_cycle_is_a_fault() -> None:
    groups = {"g1": "g2", "g2": "g1", "g3": "g1", "g4": "g4", "g5": "g6", "g6": "g7", "g7": "g5"}
    text = HEAD + "".join(
        f"  - {{id: {id_}, kind: group, mode: all, children: [{child}]}}\n" for id_, child in groups.items()
    )
    assert [(fault.line, fault.path) for fault in faults(text)] == [
        (7, f"{AT}.0.children"),
        (10, f"{AT}.3.children"),
        (11, f"{AT}.4.children"),
    ]


def test_cycles_of_unknown_nodes_are_faults() -> None:
    nodes = ("{id: g, kind: group, mode: all, children: [x]}", "{id: x, kind: other, when: y}")
    text = HEAD + "".join(f"  - {node}\n" for node in (*nodes, "{id: y, kind: another, children: [g]}"))
    (fault,) = faults(text)
    assert (fault.line, fault.path) == (7, f"{AT}.0.children")
    assert fault.message == "These nodes depend on each other: 'g' -> 'x' -> 'y' -> 'g'."


def test_groups_may_nest_to_any_depth() -> None:
    lines = [f"  - {{id: g{n}, kind: group, mode: all, children: [g{n + 1}]}}" for n in range(2000)]
    text = "\n".join((HEAD.rstrip(), *lines, "  - {id: g2000, kind: group, mode: all}"))
    assert len(load(text).bundles[0].conditions) == 2001


def test_a_live_shop_checks_sections_but_not_products() -> None:
    text = """shop: {handle: live, platform: {kind: shopify, domain: live.example}}
bundles:
  - {id: 1, name: B, type: native, conditions: [
      {id: a, kind: action, type: free-item, variantId: "5"},
      {id: b, kind: action, type: hide-section, sectionId: 1}]}
"""
    (fault,) = faults(text)
    assert (fault.path, fault.line) == (f"{AT}.1.sectionId", 5)
