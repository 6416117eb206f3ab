"""The effects of actions: discounts, hidden sections and products, messages (docs/contract.md#conditions)."""

from decimal import Decimal

import pytest

from bundlesvc.domain.conditions.condition_types import Node
from bundlesvc.domain.conditions.graph import GraphDiscount, Outcome, Verdict
from tests.domain.builders import line
from tests.domain.conditions.nodes import action, discount, free_item, group, items, message, run


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
