"""The rules of a bundle as English sentences."""

from typing import Any

import pytest

from bundlesvc.domain.agents.condition_sentences import MAX_LENGTH, condition_sentences
from bundlesvc.domain.agents.names import Names
from bundlesvc.domain.agents.rule_sentences import limit_sentences, required_sentence
from bundlesvc.domain.bundle import RequiredProduct
from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES
from bundlesvc.domain.conditions.graph import Graph
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from tests.domain.builders import rule

NAMES = Names({1: "Coffee"}, {100: "Blend", 200: "Mug"}, {1001: "Blend (beans)", 2001: "Mug"}, "EUR", "kg")

LIMITS = [
    ("bundle-price", "lte", "60.00", None, "The price of the bundle must be at most 60.00 EUR."),
    (
        "bundle-price-before-discount",
        "gt",
        "20",
        1,
        "The price of the section Coffee before discount must be more than 20 EUR.",
    ),
    ("total-number-of-products", "gte", "3", None, "Choose at least 3 items for the bundle."),
    ("number-of-different-products", "lt", "4", 1, "Choose less than 4 different products for the section Coffee."),
    ("multiples-of", "eq", "6", None, "The number of items in the bundle must be a multiple of 6."),
    ("multiples-of", "eq", "", None, "Any number of items may be chosen."),
    ("amount-of-one-product", "lte", "2", None, "Choose at most 2 of each for the bundle."),
    ("amount-of-one-variant", "eq", "1", 1, "Choose exactly 1 of each for the section Coffee."),
    ("amount-of-weight", "lte", "2.5", None, "The weight of the bundle must be at most 2.5 kg."),
]


@pytest.mark.parametrize(("type_", "operation", "value", "section", "sentence"), LIMITS)
def test_limit_rule(type_: str, operation: str, value: str, section: int | None, sentence: str) -> None:
    assert limit_sentences([rule(type_, operation, value, section)], NAMES) == [sentence]


def test_every_type_of_limit_rule_has_a_case() -> None:
    assert {type_ for type_, *_ in LIMITS} == set(RULE_TYPES)


def test_alternatives_have_one_sentence_at_each_of_their_places() -> None:
    total = "total-number-of-products"
    rules = [rule(total, "eq", "6"), rule(total, "lte", "20"), rule(total, "eq", "12"), rule(total, "eq", "24", 1)]
    assert limit_sentences(rules, NAMES) == [
        "Choose exactly 6 or 12 items for the bundle.",
        "Choose at most 20 items for the bundle.",
        "Choose exactly 6 or 12 items for the bundle.",
        "Choose exactly 24 items for the section Coffee.",
    ]


@pytest.mark.parametrize(
    ("variants", "sentence"),
    [
        ((), "The bundle must contain at least 2 of Blend."),
        ((1001,), "The bundle must contain at least 2 of Blend (beans)."),
        ((1001, 1002), "The bundle must contain at least 2 of Blend (beans) or variant 1002."),
    ],
)
def test_required_product(variants: tuple[int, ...], sentence: str) -> None:
    assert required_sentence(RequiredProduct(100, variants, 2), NAMES) == sentence


def condition(type_: str, id_: str = "c", **more: object) -> dict[str, Any]:
    return {"id": id_, "kind": "condition", "type": type_, **more}


def group(mode: str, id_: str, *children: str) -> dict[str, Any]:
    return {"id": id_, "kind": "group", "mode": mode, "children": list(children)}


def action(type_: str = "block-cart", when: str | None = "c", **more: object) -> dict[str, Any]:
    return {"id": "a", "kind": "action", "type": type_, "when": when, "text": "No.", **more}


def sentences(*nodes: dict[str, Any]) -> list[str]:
    return [found.sentence for found in condition_sentences(Graph.of(nodes), NAMES)]


CONDITIONS = [
    (condition("total-products", operation="gte", value="3"), "the number of items is at least 3"),
    (condition("total-products"), "the number of items is at least 1"),
    (condition("total-price", operation="gt", value="60.50"), "the price before discount is more than 60.5 EUR"),
    (
        condition("total-weight", operation="lte", value="2", sectionId=1),
        "the weight in the section Coffee is at most 2 kg",
    ),
    (condition("product-quantity", productId="200", operation="eq", value="1"), "the number of Mug is exactly 1"),
    (
        condition("variant-selected", variantId="1001", operation="lt", value="2", sectionId=1),
        "the number of Blend (beans) in the section Coffee is less than 2",
    ),
    (
        condition("section-quantity", sectionId=9, operation="gte", value="2"),
        "the number of items in the section 9 is at least 2",
    ),
    (condition("country", operation="eq", value="ch"), "the country is CH"),
    (condition("subscription-chosen"), "the shopper subscribes"),
]


@pytest.mark.parametrize(("node", "reason"), CONDITIONS)
def test_condition(node: dict[str, Any], reason: str) -> None:
    assert sentences(node, action()) == [f'If {reason}, the bundle cannot be bought: "No.".']


def test_every_type_of_condition_has_a_case() -> None:
    assert {node["type"] for node, _ in CONDITIONS} == set(CONDITION_TYPES)


ACTIONS = [
    (
        action("discount", discount={"type": "percentage", "value": "15.00"}),
        "the discount is 15.00 percent, in place of the bundle's own",
    ),
    (
        action("discount", discount={"type": "fixed", "value": "5.00"}),
        "the discount is 5.00 EUR, in place of the bundle's own",
    ),
    (
        action("discount", discount={"type": "price", "value": "30.00"}),
        "the price is 30.00 EUR, in place of the bundle's own discount",
    ),
    (
        action("free-item", variantId="2001", productId="200", quantity=2),
        "up to 2 of Mug in the selection cost nothing",
    ),
    (action("hide-section", sectionId=1), "nothing can be chosen in the section Coffee"),
    (action("hide-product", productId="200"), "Mug cannot be chosen"),
    (action("hide-product", productId="200", sectionId=1), "Mug cannot be chosen in the section Coffee"),
    (action("block-cart", text="Not now"), 'the bundle cannot be bought: "Not now"'),
]


@pytest.mark.parametrize(("node", "effect"), ACTIONS)
def test_action(node: dict[str, Any], effect: str) -> None:
    assert sentences(condition("subscription-chosen"), node) == [f"If the shopper subscribes, {effect}."]
    assert sentences({**node, "when": None}) == [f"{effect[0].upper()}{effect[1:]}."]


def test_only_actions_that_decide_something_have_sentences() -> None:
    described = {node["type"] for node, _ in ACTIONS}
    assert described == {row.name for row in ACTION_TYPES.values() if row.decides}
    silent = [action(row.name, None, sectionId=1) for row in ACTION_TYPES.values() if not row.decides]
    assert sentences(*silent) == []


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("all", "(the country is CH and the shopper subscribes)"),
        ("any", "(the country is CH or the shopper subscribes)"),
        ("none", "it is not true that (the country is CH or the shopper subscribes)"),
    ],
)
def test_group(mode: str, reason: str) -> None:
    parts = condition("country", "c1", operation="eq", value="CH"), condition("subscription-chosen", "c2")
    assert sentences(*parts, group(mode, "c", "c1", "c2"), action("hide-product", productId="200")) == [
        f"If {reason}, Mug cannot be chosen."
    ]


def test_groups_that_share_members_do_not_grow_without_end() -> None:
    nodes = [condition("country", "g0", operation="eq", value="CH")]
    nodes += [group("all", f"g{depth}", f"g{depth - 1}", f"g{depth - 1}") for depth in range(1, 60)]
    (sentence,) = sentences(*nodes, action(when="g59"))
    assert len(sentence) < 2 * MAX_LENGTH
