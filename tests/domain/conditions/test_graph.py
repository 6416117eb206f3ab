"""The conditions engine: conditions, groups, actions, units set aside, and stripped nodes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES, Facts, Node
from bundlesvc.domain.conditions.graph import Graph, GraphDiscount, Outcome, Verdict
from bundlesvc.domain.line import Line
from tests.domain.builders import BOUNDARIES, bundle, line
from tests.domain.strategies import NUMBERS, OPERATIONS, PROPERTY, SECTION_IDS, VARIANT_IDS, selections

FACTS = Facts("kg")


def condition(id_: str, type_: str, **fields: Any) -> Node:
    return {"id": id_, "kind": "condition", "type": type_, **fields}


def items(id_: str, least: int) -> Node:
    return condition(id_, "total-products", operation="gte", value=str(least))


def group(id_: str, mode: str, *children: str) -> Node:
    return {"id": id_, "kind": "group", "mode": mode, "children": list(children)}


def action(id_: str, type_: str, when: str | None = None, **fields: Any) -> Node:
    return {"id": id_, "kind": "action", "type": type_, **({"when": when} if when else {}), **fields}


def discount(id_: str, when: str | None = None, type_: str = "percentage", value: str = "15.00") -> Node:
    return action(id_, "discount", when, discount={"type": type_, "value": value})


def free_item(id_: str, when: str | None = None, variant_id: int = 21, quantity: int = 1) -> Node:
    return action(id_, "free-item", when, variantId=str(variant_id), quantity=quantity)


def message(id_: str, when: str | None = None) -> Node:
    return action(id_, "message", when, text="One more for a free mug")


def run(nodes: Sequence[Node], lines: Sequence[Line], facts: Facts = FACTS) -> Outcome:
    return Graph.of(nodes).evaluate(lines, facts)


def fires(node: Node, lines: Sequence[Line], facts: Facts = FACTS) -> bool:
    """Whether an action that depends only on this condition fires."""
    return bool(run([node, discount("a1", node["id"])], lines, facts).discount)


def units(lines: Iterable[Line]) -> dict[tuple[int, int], int]:
    """The number of units by variant and section."""
    counts: Counter[tuple[int, int]] = Counter()
    for one in lines:
        counts[one.variant.id, one.section_id] += one.count
    return dict(counts)


MEASURES: dict[str, tuple[dict[str, Any], dict[str, list[Line]]]] = {
    "total-products": (
        {},
        {
            "below": [line(1), line(1, variant_id=21)],
            "at": [line(2), line(1, variant_id=21, section=2)],
            "above": [line(2), line(2, variant_id=21)],
        },
    ),
    "total-price": (
        {},
        {
            "below": [line(2, price="1.00"), line(price="0.99", variant_id=21)],
            "at": [line(2, price="1.00"), line(price="1.00", variant_id=21, section=2)],
            "above": [line(2, price="1.00"), line(price="1.01", variant_id=21)],
        },
    ),
    "product-quantity": (
        {"productId": "1"},
        {
            "below": [line(2, variant_id=11), line(9, variant_id=21)],
            "at": [line(2, variant_id=11), line(1, variant_id=12, section=2), line(9, variant_id=21)],
            "above": [line(4, variant_id=12)],
        },
    ),
    "variant-selected": (
        {"variantId": "11"},
        {
            "below": [line(2, variant_id=11), line(9, variant_id=12)],
            "at": [line(2, variant_id=11), line(1, variant_id=11, section=2), line(9, variant_id=12)],
            "above": [line(4, variant_id=11)],
        },
    ),
    "section-quantity": (
        {"sectionId": 2},
        {
            "below": [line(2, section=2), line(9, section=1)],
            "at": [line(2, section=2), line(1, variant_id=21, section=2), line(9, section=1)],
            "above": [line(4, section=2)],
        },
    ),
    "total-weight": (
        {},
        {
            "below": [line(2, grams=1000), line(grams=999, variant_id=21)],
            "at": [line(2, grams=1000), line(grams=1000, variant_id=21, section=2)],
            "above": [line(2, grams=1000), line(grams=1001, variant_id=21)],
        },
    ),
}
"""For each type: its fields, and selections that measure below, at and above 3 (weight in kg)."""


@pytest.mark.parametrize("value", ["3", "3.00"])
@pytest.mark.parametrize(("operation", "side", "held"), BOUNDARIES)
@pytest.mark.parametrize("type_", MEASURES)
def test_condition_boundaries(type_: str, operation: str, side: str, held: bool, value: str) -> None:
    fields, selection = MEASURES[type_]

    assert fires(condition("c1", type_, operation=operation, value=value, **fields), selection[side]) is held


@pytest.mark.parametrize(
    ("fields", "count", "held"),
    [
        pytest.param({}, 1, True, id="one is there"),
        pytest.param({}, 0, False, id="none is there"),
        pytest.param({"operation": None, "value": None}, 1, True, id="null counts as absent"),
        pytest.param({"value": "2"}, 1, False, id="gte is meant, too few"),
        pytest.param({"value": "2"}, 3, True, id="gte is meant, more"),
        pytest.param({"operation": "lt"}, 0, True, id="1 is meant, less"),
        pytest.param({"operation": "lt"}, 1, False, id="1 is meant, not less"),
        pytest.param({"operation": "lte", "value": "0"}, 0, True, id="a value of zero is a value, none there"),
        pytest.param({"operation": "lte", "value": "0"}, 1, False, id="a value of zero is a value, one there"),
    ],
)
def test_variant_selected_defaults_to_at_least_one(fields: dict[str, Any], count: int, held: bool) -> None:
    lines = [line(5, variant_id=21), *([line(count, variant_id=11)] if count else [])]

    assert fires(condition("c1", "variant-selected", variantId="11", **fields), lines) is held


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        pytest.param("total-products", {"value": "2"}, id="items"),
        pytest.param("total-price", {"value": "20.00"}, id="price"),
        pytest.param("product-quantity", {"value": "2", "productId": "1"}, id="product"),
        pytest.param("variant-selected", {"value": "2", "variantId": "11"}, id="variant"),
        pytest.param("total-weight", {"value": "0.2"}, id="weight"),
    ],
)
@pytest.mark.parametrize(
    ("section", "held"), [(None, True), (1, False), (2, True), (3, False)], ids=["none", "1", "2", "3"]
)
def test_condition_measures_its_section_only(
    type_: str, fields: dict[str, Any], section: int | None, held: bool
) -> None:
    lines = [line(1, grams=100, section=1), line(2, grams=100, section=2)]

    assert fires(condition("c1", type_, operation="gte", sectionId=section, **fields), lines) is held


@pytest.mark.parametrize(
    ("unit", "value", "grams", "held"),
    [
        pytest.param("g", "100", 99, False, id="99 g"),
        pytest.param("g", "100", 100, True, id="100 g"),
        pytest.param("kg", "1.5", 1499, False, id="1.499 kg"),
        pytest.param("kg", "1.5", 1500, True, id="1.5 kg"),
        pytest.param("oz", "16", 453, False, id="less than 16 oz"),
        pytest.param("oz", "16", 454, True, id="more than 16 oz"),
        pytest.param("lb", "1", 453, False, id="less than 1 lb"),
        pytest.param("lb", "1", 454, True, id="more than 1 lb"),
        pytest.param("lb", "100000", 45_359_237, True, id="exactly 100,000 lb"),
    ],
)
def test_weight_limit_is_in_the_shops_unit(unit: str, value: str, grams: int, held: bool) -> None:
    node = condition("c1", "total-weight", operation="gte", value=value)

    assert fires(node, [line(grams=grams)], Facts(unit)) is held


@pytest.mark.parametrize(
    ("value", "country", "held"),
    [
        pytest.param("DE", "DE", True, id="the country"),
        pytest.param("de", "DE", True, id="codes are case-insensitive"),
        pytest.param("DE", "AT", False, id="another country"),
        pytest.param("DE", None, False, id="no country"),
    ],
)
def test_country_condition(value: str, country: str | None, held: bool) -> None:
    node = condition("c1", "country", operation="eq", value=value)

    assert fires(node, [line()], Facts("kg", country)) is held


@pytest.mark.parametrize("subscribed", [True, False])
def test_subscription_chosen_condition(subscribed: bool) -> None:
    assert fires(condition("c1", "subscription-chosen"), [line()], Facts("kg", subscribed=subscribed)) is subscribed


@pytest.mark.parametrize(
    ("mode", "children", "held"),
    [
        pytest.param("all", ["yes", "yes2"], True, id="all, both"),
        pytest.param("all", ["yes", "no"], False, id="all, one"),
        pytest.param("all", ["no", "no2"], False, id="all, none"),
        pytest.param("any", ["yes", "yes2"], True, id="any, both"),
        pytest.param("any", ["no", "yes"], True, id="any, one"),
        pytest.param("any", ["no", "no2"], False, id="any, none"),
        pytest.param("none", ["yes", "yes2"], False, id="none, both"),
        pytest.param("none", ["no", "yes"], False, id="none, one"),
        pytest.param("none", ["no", "no2"], True, id="none, none"),
        pytest.param("none", ["yes"], False, id="none of one: not"),
        pytest.param("all", ["no-group", "yes"], False, id="all, over a group"),
        pytest.param("none", ["no-group", "no"], True, id="none, over a group"),
        pytest.param("any", ["no", "not-no"], True, id="any, over a group"),
    ],
)
def test_group_modes(mode: str, children: list[str], held: bool) -> None:
    nodes = [
        group("top", mode, *children),
        group("no-group", "any", "no", "no2"),
        group("not-no", "none", "no"),
        items("yes", 1),
        items("yes2", 2),
        items("no", 3),
        items("no2", 4),
        discount("a1", "top"),
    ]
    assert bool(run(nodes, [line(2)]).discount) is held


def test_groups_can_be_nested_to_any_depth() -> None:
    """Groups can be nested to any depth: `none` of `none` of … over a true condition is true at an even depth."""
    depth = 600
    nodes = [group(f"g{level}", "none", f"g{level - 1}" if level else "c1") for level in reversed(range(depth))]

    assert run([*nodes, items("c1", 1), discount("a1", f"g{depth - 1}")], [line()]).discount is not None


@pytest.mark.parametrize(
    ("nodes", "named"),
    [
        pytest.param([discount("a1")], "a1", id="without a condition it always holds"),
        pytest.param([items("c1", 2), discount("a1", "c1")], "a1", id="on a condition"),
        pytest.param([items("c1", 9), discount("a1", "c1")], None, id="on a condition that does not hold"),
        pytest.param([items("c1", 2), group("g1", "all", "c1"), discount("a1", "g1")], "a1", id="on a group"),
        pytest.param([discount("a1"), discount("a2")], "a1", id="the first in the list wins"),
        pytest.param(
            [items("c1", 9), items("c2", 2), discount("a1", "c1"), discount("a2", "c2"), discount("a3")],
            "a2",
            id="the first that fires wins",
        ),
        pytest.param([discount("a2", "c1"), items("c1", 2), discount("a1")], "a2", id="list order, not id order"),
        pytest.param([message("a1"), free_item("a2")], None, id="no discount action"),
        pytest.param([], None, id="no nodes"),
    ],
)
def test_the_first_discount_action_that_fires_wins(nodes: list[Node], named: str | None) -> None:
    won = run(nodes, [line(2)]).discount

    assert (won.action_id if won else None) == named


def test_discount_of_an_action_has_type_and_value() -> None:
    outcome = run([discount("a1", type_="fixed", value="7.50")], [line()])

    assert outcome.discount == GraphDiscount("a1", "fixed", Decimal("7.50"))


@pytest.mark.parametrize(
    ("node", "sections", "products", "blocks"),
    [
        pytest.param(action("a1", "hide-section", "c1", sectionId=2), {2}, set(), (), id="hide section"),
        pytest.param(action("a1", "hide-product", "c1", productId="1"), set(), {(1, None)}, (), id="hide product"),
        pytest.param(
            action("a1", "hide-product", "c1", productId="1", sectionId=None), set(), {(1, None)}, (), id="null section"
        ),
        pytest.param(
            action("a1", "hide-product", "c1", productId="1", sectionId=2),
            set(),
            {(1, 2)},
            (),
            id="hide it in a section",
        ),
        pytest.param(action("a1", "block-cart", "c1", text="No."), set(), set(), ("No.",), id="block"),
        pytest.param(message("a1", "c1"), set(), set(), (), id="message: nothing"),
        pytest.param(action("a1", "goto-section", "c1", sectionId=2), set(), set(), (), id="go to section: nothing"),
    ],
)
def test_effects_of_actions(
    node: Node, sections: set[int], products: set[tuple[int, int | None]], blocks: tuple[str, ...]
) -> None:
    fired = run([items("c1", 2), node], [line(2)])
    idle = run([items("c1", 2), node], [line(1)])

    assert (set(fired.hidden_sections), set(fired.hidden_products), fired.blocks) == (sections, products, blocks)
    assert idle == Outcome((line(1),), verdicts={"a1": Verdict(holds=False, decided_by=("c1",))})
    assert (fired.paid, fired.granted, fired.discount) == ((line(2),), (), None)


def test_effects_of_several_actions_add_up() -> None:
    outcome = run(
        [
            action("a1", "block-cart", text="First."),
            action("a2", "hide-section", sectionId=2),
            action("a3", "block-cart", text="Second."),
            action("a4", "hide-section", sectionId=3),
        ],
        [line()],
    )
    assert outcome.blocks == ("First.", "Second.")
    assert set(outcome.hidden_sections) == {2, 3}


@pytest.mark.parametrize(
    ("hidden", "held"),
    [
        pytest.param((1, None), True, id="everywhere"),
        pytest.param((1, 2), True, id="in its section"),
        pytest.param((1, 1), False, id="in another section"),
        pytest.param((2, None), False, id="another product"),
    ],
)
def test_hidden_product_is_hidden_in_its_section_or_everywhere(hidden: tuple[int, int | None], held: bool) -> None:
    assert Outcome((), hidden_products=frozenset({hidden})).hides(line(section=2)) is held


def test_conditions_ignore_visibility() -> None:
    nodes = [action("a1", "hide-section", sectionId=2), items("c1", 3), discount("a2", "c1")]

    assert run(nodes, [line(1), line(2, section=2)]).discount is not None


@pytest.mark.parametrize(
    ("nodes", "lines", "paid", "granted"),
    [
        pytest.param(
            [free_item("a1")],
            [line(2), line(1, variant_id=21)],
            {(11, 1): 2},
            {(21, 1): 1},
            id="granted",
        ),
        pytest.param([free_item("a1")], [line(2)], {(11, 1): 2}, {}, id="not selected"),
        pytest.param([free_item("a1")], [line(1, variant_id=21)], {}, {(21, 1): 1}, id="nothing else selected"),
        pytest.param(
            [free_item("a1", quantity=2)], [line(3, variant_id=21)], {(21, 1): 1}, {(21, 1): 2}, id="up to its quantity"
        ),
        pytest.param([free_item("a1", quantity=5)], [line(3, variant_id=21)], {}, {(21, 1): 3}, id="fewer than that"),
        pytest.param(
            [items("c1", 2), free_item("a1", "c1")],
            [line(1), line(1, variant_id=21)],
            {(11, 1): 1, (21, 1): 1},
            {},
            id="the free unit does not count for its own condition",
        ),
        pytest.param(
            [items("c1", 2), free_item("a1", "c1")],
            [line(1), line(2, variant_id=21)],
            {(11, 1): 1, (21, 1): 1},
            {(21, 1): 1},
            id="a second unit of it does",
        ),
        pytest.param(
            [items("c1", 9), free_item("a1", "c1", quantity=2)],
            [line(1), line(3, variant_id=21)],
            {(11, 1): 1, (21, 1): 3},
            {},
            id="not fired: all are paid for",
        ),
        pytest.param(
            [free_item("a1", quantity=4)],
            [line(2, variant_id=21, section=2), line(1, variant_id=21, section=0), line(2, variant_id=21, section=1)],
            {(21, 2): 1},
            {(21, 0): 1, (21, 1): 2, (21, 2): 1},
            id="section 0 first, then ascending",
        ),
        pytest.param(
            [free_item("a1")],
            [line(1, variant_id=21, section=10), line(1, variant_id=21, section=9)],
            {(21, 10): 1},
            {(21, 9): 1},
            id="section ids are numbers",
        ),
        pytest.param(
            [items("c1", 9), free_item("a1", "c1"), free_item("a2")],
            [line(1, variant_id=21)],
            {(21, 1): 1},
            {},
            id="the first action takes, and does not fire",
        ),
        pytest.param(
            [free_item("a2"), items("c1", 9), free_item("a1", "c1")],
            [line(1, variant_id=21)],
            {},
            {(21, 1): 1},
            id="list order, not id order",
        ),
        pytest.param(
            [items("c1", 9), free_item("a1", "c1"), free_item("a2", quantity=2)],
            [line(1, variant_id=21, section=0), line(2, variant_id=21)],
            {(21, 0): 1},
            {(21, 1): 2},
            id="each takes what the one before left",
        ),
        pytest.param(
            [free_item("a1"), free_item("a2")],
            [line(3, variant_id=21)],
            {(21, 1): 1},
            {(21, 1): 2},
            id="two that fire",
        ),
        pytest.param(
            [free_item("a1", variant_id=21), free_item("a2", variant_id=31)],
            [line(1), line(1, variant_id=21), line(1, variant_id=31)],
            {(11, 1): 1},
            {(21, 1): 1, (31, 1): 1},
            id="two variants",
        ),
    ],
)
def test_free_items_are_taken_in_order(
    nodes: list[Node], lines: list[Line], paid: Mapping[tuple[int, int], int], granted: Mapping[tuple[int, int], int]
) -> None:
    outcome = run(nodes, lines)

    assert units(outcome.paid) == paid
    assert units(outcome.granted) == granted


@pytest.mark.parametrize(
    ("node", "held"),
    [
        # selected: 2 of variant 11 and 2 of variant 21; with one unit of 21 set aside: 3 items, 30.00, 300 g
        pytest.param(condition("c1", "total-products", operation="eq", value="3"), True, id="items"),
        pytest.param(condition("c1", "total-price", operation="eq", value="30"), True, id="price"),
        pytest.param(condition("c1", "total-weight", operation="eq", value="0.3"), True, id="weight"),
        pytest.param(condition("c1", "product-quantity", operation="eq", value="1", productId="2"), True, id="product"),
        pytest.param(
            condition("c1", "variant-selected", operation="eq", value="1", variantId="21"), True, id="variant"
        ),
        pytest.param(condition("c1", "section-quantity", operation="eq", value="3", sectionId=1), True, id="section"),
        pytest.param(condition("c1", "total-products", operation="gte", value="4"), False, id="not all items"),
    ],
)
@pytest.mark.parametrize("granted", [True, False])
def test_conditions_ignore_units_set_aside(node: Node, held: bool, granted: bool) -> None:
    nodes = [items("never", 99), node, free_item("a1", None if granted else "never"), discount("a2", "c1")]
    lines = [line(2, grams=100), line(2, variant_id=21, grams=100)]

    assert bool(run(nodes, lines).discount) is held


def test_granting_units_changes_only_the_count_of_a_line() -> None:
    outcome = run([free_item("a1")], [line(1), line(3, variant_id=21, price="4.00", first=1)])

    assert outcome.paid == (line(1), line(2, variant_id=21, price="4.00", first=1))
    assert outcome.granted == (line(1, variant_id=21, price="4.00", first=1),)


@pytest.mark.parametrize(
    ("nodes", "variants"),
    [
        pytest.param([free_item("a1", variant_id=21), free_item("a2", variant_id=31)], {21, 31}, id="two"),
        pytest.param([items("c1", 99), free_item("a1", "c1", variant_id=21)], {21}, id="fired or not"),
        pytest.param([{"id": "x1", "kind": "cascade-variant"}, free_item("a1", "x1")], set(), id="stripped"),
        pytest.param([items("c1", 1), discount("a1")], set(), id="none"),
    ],
)
def test_free_variants_are_those_of_all_free_item_actions(nodes: list[Node], variants: set[int]) -> None:
    assert Graph.of(nodes).free_variant_ids == variants


@pytest.mark.parametrize(
    ("mode", "children", "fired", "deciders"),
    [
        pytest.param("all", ["yes", "yes2"], True, {"yes", "yes2"}, id="all hold: every one"),
        pytest.param("all", ["yes", "no"], False, {"no"}, id="all, one does not: that one"),
        pytest.param("any", ["yes", "no"], True, {"yes"}, id="any, one holds: that one"),
        pytest.param("any", ["no", "no2"], False, {"no", "no2"}, id="any, none holds: every one"),
        pytest.param("none", ["yes", "no"], False, {"yes"}, id="none, one holds: that one"),
        pytest.param("none", ["no", "no2"], True, {"no", "no2"}, id="none holds: every one"),
        pytest.param("all", ["inner", "yes"], False, {"no", "no2"}, id="through a group"),
        pytest.param("any", ["yes", "yes"], True, {"yes"}, id="each once"),
    ],
)
def test_the_result_names_the_conditions_that_decided(
    mode: str, children: list[str], fired: bool, deciders: set[str]
) -> None:
    nodes = [
        items("yes", 1),
        items("yes2", 2),
        items("no", 3),
        items("no2", 4),
        group("inner", "any", "no", "no2"),
        group("top", mode, *children),
        message("a1", "top"),
        message("a2"),
    ]
    verdicts = run(nodes, [line(2)]).verdicts

    assert verdicts is not None
    assert verdicts.keys() == {"a1", "a2"}
    assert (verdicts["a1"].holds, set(verdicts["a1"].decided_by)) == (fired, deciders)
    assert len(verdicts["a1"].decided_by) == len(deciders)
    assert (verdicts["a2"].holds, verdicts["a2"].decided_by) == (True, ())


CASCADE: Node = {"id": "x1", "kind": "cascade-variant", "anything": [1, {"deep": None}]}


@pytest.mark.parametrize(
    ("nodes", "remaining"),
    [
        pytest.param([items("c1", 1), discount("a1", "c1")], ["c1", "a1"], id="nothing to strip"),
        pytest.param([CASCADE], [], id="cascade-variant"),
        pytest.param([CASCADE, discount("a1", "x1"), discount("a2")], ["a2"], id="an action on it"),
        pytest.param(
            [items("c1", 1), CASCADE, group("g1", "any", "c1", "x1"), discount("a1", "g1"), discount("a2", "c1")],
            ["c1", "a2"],
            id="a group over it, and an action on the group",
        ),
        pytest.param(
            [
                discount("a1", "g3"),
                group("g3", "all", "g2"),
                group("g2", "all", "g1"),
                group("g1", "none", "x1"),
                CASCADE,
                group("g4", "all", "c1"),
                items("c1", 1),
            ],
            ["g4", "c1"],
            id="through any number of groups, in any order",
        ),
        pytest.param([{"id": "x1", "kind": "future"}, message("a1", "x1")], [], id="unknown kind"),
        pytest.param([condition("c1", "moon-phase", value="full"), message("a1", "c1")], [], id="unknown condition"),
        pytest.param(
            [items("c1", 1), action("a1", "fireworks", "c1"), message("a2")], ["c1", "a2"], id="unknown action"
        ),
        pytest.param([], [], id="no nodes"),
    ],
)
def test_unknown_nodes_are_stripped_with_their_dependents(nodes: list[Node], remaining: list[str]) -> None:
    graph = Graph.of(nodes)

    assert [node["id"] for node in graph.nodes] == remaining
    assert graph.partial is (len(remaining) < len(nodes))
    assert all(node in nodes for node in graph.nodes)


def test_graph_of_a_bundle_is_stripped() -> None:
    graph = bundle(conditions=(CASCADE, discount("a1", "x1"), discount("a2"))).graph

    assert ([node["id"] for node in graph.nodes], graph.partial) == (["a2"], True)


def test_stripped_nodes_have_no_effect() -> None:
    nodes = [CASCADE, free_item("a1", "x1"), items("c1", 2), discount("a2", "c1")]
    outcome = run(nodes, [line(1), line(1, variant_id=21)])

    assert outcome.discount is not None
    assert outcome.granted == ()


def test_empty_graph_changes_nothing() -> None:
    lines = (line(2), line(1, variant_id=21))

    assert run([], lines) == Outcome(lines, verdicts={})


# --- properties -------------------------------------------------------------------------------------------------------

SECTIONS_OR_NONE = st.sampled_from([None, *SECTION_IDS])
VARIANT_TEXTS = st.sampled_from([str(variant_id) for variant_id in VARIANT_IDS])
PRODUCT_TEXTS = st.sampled_from(["1", "2", "3", "4", "99"])


def _nodes(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"kind": st.just(kind), **fields})


def _measuring(type_: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    optional = {"operation": st.none() | OPERATIONS, "value": st.none() | NUMBERS, "sectionId": SECTIONS_OR_NONE}
    return st.fixed_dictionaries(
        {"kind": st.just("condition"), "type": st.just(type_), **fields},
        optional={name: strategy for name, strategy in optional.items() if name not in fields},
    )


KEYS = {"productId": PRODUCT_TEXTS, "variantId": VARIANT_TEXTS, "sectionId": st.sampled_from(SECTION_IDS)}
FACTS_TESTED: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "country": {"operation": st.just("eq"), "value": st.sampled_from(["DE", "AT", "de", "US"])},
    "subscription-chosen": {},
}
CONDITIONS = st.one_of(
    *(_measuring(type_, **{key: KEYS[key] for key in fields}) for type_, (fields, _) in MEASURES.items()),
    *(_nodes("condition", type=st.just(type_), **fields) for type_, fields in FACTS_TESTED.items()),
)
EFFECTS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "discount": {
        "discount": st.fixed_dictionaries({"type": st.sampled_from(["percentage", "fixed", "price"]), "value": NUMBERS})
    },
    "free-item": {"variantId": VARIANT_TEXTS, "quantity": st.integers(1, 5)},
    "message": {"text": st.just("Hello")},
    "hide-section": {"sectionId": st.sampled_from(SECTION_IDS)},
    "hide-product": {"productId": PRODUCT_TEXTS, "sectionId": SECTIONS_OR_NONE},
    "goto-section": {"sectionId": st.sampled_from(SECTION_IDS)},
    "block-cart": {"text": st.sampled_from(["No.", "Not so."])},
}
ACTIONS = st.one_of([_nodes("action", type=st.just(type_), **fields) for type_, fields in EFFECTS.items()])
UNKNOWN = st.sampled_from(
    [{"kind": "cascade-variant"}, {"kind": "future"}, {"kind": "condition", "type": "moon-phase", "value": "full"}]
)
FACTS_DRAWN = st.builds(
    Facts, st.sampled_from(["g", "kg", "oz", "lb"]), st.sampled_from([None, "DE", "AT"]), st.booleans()
)


@st.composite
def graphs(draw: st.DrawFn, *, with_unknown: bool = False) -> list[Node]:
    """A strategy for condition graphs without cycles, with the nodes in any order."""
    leaves = draw(st.lists(CONDITIONS | UNKNOWN if with_unknown else CONDITIONS, min_size=1, max_size=5))
    nodes = [{"id": f"c{index}", **leaf} for index, leaf in enumerate(leaves)]
    for index in range(draw(st.integers(0, 4))):
        known = [node["id"] for node in nodes]
        children = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))
        nodes.append(dict(group(f"g{index}", draw(st.sampled_from(["all", "any", "none"])), *children)))
    causes = st.sampled_from([None, *(node["id"] for node in nodes)])
    for index, effect in enumerate(draw(st.lists(ACTIONS, max_size=5))):
        nodes.append({"id": f"a{index}", **effect, "when": draw(causes)})
    return draw(st.permutations(nodes))


def _in_any_order(outcome: Outcome) -> tuple[object, ...]:
    return (
        units(outcome.paid),
        units(outcome.granted),
        outcome.discount,
        outcome.hidden_sections,
        outcome.hidden_products,
        outcome.blocks,
        outcome.verdicts,
    )


def test_property_tests_cover_every_type() -> None:
    assert {*MEASURES, *FACTS_TESTED} == set(CONDITION_TYPES)
    assert set(EFFECTS) == set(ACTION_TYPES)


@PROPERTY
@given(nodes=graphs(), lines=selections(), facts=FACTS_DRAWN)
def test_paid_and_granted_units_are_the_selection(nodes: list[Node], lines: list[Line], facts: Facts) -> None:
    """Paid and granted units together make up the selection: evaluation never raises, and neither loses nor adds a unit."""
    outcome = run(nodes, lines, facts)

    assert units([*outcome.paid, *outcome.granted]) == units(lines)
    assert all(one.count > 0 for one in [*outcome.paid, *outcome.granted])
    assert units(outcome.granted).keys() <= {
        (int(node["variantId"]), section)
        for node in nodes
        if node.get("type") == "free-item"
        for section in SECTION_IDS
    }


@PROPERTY
@given(nodes=graphs(), lines=selections(), facts=FACTS_DRAWN, order=st.randoms(use_true_random=False))
def test_order_of_items_does_not_change_the_outcome(
    nodes: list[Node], lines: list[Line], facts: Facts, order: Random
) -> None:
    shuffled = order.sample(lines, len(lines))

    assert _in_any_order(run(nodes, lines, facts)) == _in_any_order(run(nodes, shuffled, facts))


@PROPERTY
@given(nodes=graphs(), lines=selections(), facts=FACTS_DRAWN)
def test_only_the_order_of_actions_matters(nodes: list[Node], lines: list[Line], facts: Facts) -> None:
    effects = [node for node in nodes if node["kind"] == "action"]
    causes = [node for node in nodes if node["kind"] != "action"]

    outcome = run(nodes, lines, facts)

    assert run([*effects, *reversed(causes)], lines, facts) == outcome
    assert run([*causes, *effects], lines, facts) == outcome


@PROPERTY
@given(nodes=graphs(), lines=selections(), facts=FACTS_DRAWN)
def test_action_fires_when_its_cause_is_true(nodes: list[Node], lines: list[Line], facts: Facts) -> None:
    """An action fires exactly when its cause is true. The expected verdicts come from a recursive evaluation of the groups, based
    on the verdicts on the conditions."""
    outcome = run(nodes, lines, facts)
    by_id = {node["id"]: node for node in nodes}
    held = _verdicts_of_conditions(nodes, lines, facts)

    def holds(id_: str | None) -> bool:
        if id_ is None:
            return True
        if id_ in held:
            return held[id_]
        children = [holds(child) for child in by_id[id_]["children"]]
        return {"all": all(children), "any": any(children), "none": not any(children)}[by_id[id_]["mode"]]

    assert outcome.verdicts is not None
    assert {id_: verdict.holds for id_, verdict in outcome.verdicts.items()} == {
        node["id"]: holds(node["when"]) for node in nodes if node["kind"] == "action"
    }


def _verdicts_of_conditions(nodes: Sequence[Node], lines: Sequence[Line], facts: Facts) -> dict[str, bool]:
    """Return the result of each condition, evaluated without the other conditions and groups. Free-item actions are kept, without
    their causes, because they set units aside."""
    free = [{**node, "when": None} for node in nodes if node.get("type") == "free-item"]
    conditions = [node for node in nodes if node["kind"] == "condition"]
    return {
        node["id"]: bool(run([node, *free, discount("probe", node["id"])], lines, facts).discount)
        for node in conditions
    }


@PROPERTY
@given(nodes=graphs(with_unknown=True), lines=selections(), facts=FACTS_DRAWN)
def test_stripped_graph_contains_every_node_with_known_dependencies(
    nodes: list[Node], lines: list[Line], facts: Facts
) -> None:
    graph = Graph.of(nodes)
    by_id = {node["id"]: node for node in nodes}

    def runs(id_: str) -> bool:
        node = by_id[id_]
        if node["kind"] not in ("condition", "group", "action") or node.get("type") == "moon-phase":
            return False
        causes = [*node.get("children", []), *([node["when"]] if node.get("when") else [])]
        return all(runs(cause) for cause in causes)

    assert [node["id"] for node in graph.nodes] == [node["id"] for node in nodes if runs(node["id"])]
    assert graph.partial is (len(graph.nodes) < len(nodes))
    assert graph.evaluate(lines, facts) == run(graph.nodes, lines, facts)
