"""Free items: which units are set aside and granted (docs/contract.md#conditions)."""

from collections.abc import Mapping

import pytest

from bundlesvc.domain.conditions.condition_types import Node
from bundlesvc.domain.conditions.graph import Graph
from bundlesvc.domain.line import Line
from tests.domain.builders import line
from tests.domain.conditions.nodes import condition, discount, free_item, items, run, units


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
