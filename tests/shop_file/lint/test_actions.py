"""Findings about actions that never win, that always hide or block, or that apply to a hidden section."""

import pytest

from tests.shop_file.lint.linted import (
    SHIRTS_AND_MUGS,
    SHIRTS_THEN_MUGS,
    Case,
    action,
    assert_found,
    condition,
    country,
    discount_action,
    found,
    group,
    live,
    nodes,
    rules,
)

FROM_3 = condition("c3", "total-products", "gte", "3")
FROM_6 = condition("c6", "total-products", "gte", "6")
TOO_LATE = ["warning discount-never-wins conditions.3"]
REQUIRED_MUG = "requiredProducts: [{platformProductId: 200}]"

DISCOUNTS = [
    Case("the larger comes first", [nodes(FROM_3, FROM_6, discount_action("a", "c6"), discount_action("b", "c3"))]),
    Case(
        "the larger comes last",
        [nodes(FROM_3, FROM_6, discount_action("a", "c3"), discount_action("b", "c6"))],
        TOO_LATE,
    ),
    Case(
        "the same condition",
        [nodes(FROM_3, discount_action("a", "c3"), discount_action("b", "c3"))],
        ["warning discount-never-wins conditions.2"],
    ),
    Case(
        "after one without a condition",
        [nodes(FROM_3, discount_action("a"), discount_action("b", "c3"))],
        ["warning discount-never-wins conditions.2"],
    ),
    Case("before one without a condition", [nodes(FROM_3, discount_action("a", "c3"), discount_action("b"))]),
    Case(
        "a group that holds the condition",
        [
            nodes(
                FROM_3,
                country("ch", "CH"),
                group("g", "all", "c3", "ch"),
                discount_action("a", "c3"),
                discount_action("b", "g"),
            )
        ],
        ["warning discount-never-wins conditions.4"],
    ),
    Case(
        "a group that may hold without it",
        [
            nodes(
                FROM_3,
                country("ch", "CH"),
                group("g", "any", "c3", "ch"),
                discount_action("a", "c3"),
                discount_action("b", "g"),
            )
        ],
    ),
    Case(
        "one that is not needed for the other",
        [nodes(FROM_3, country("ch", "CH"), discount_action("a", "ch"), discount_action("b", "c3"))],
    ),
    Case(
        "each once",
        [nodes(FROM_3, discount_action("a"), discount_action("b"), discount_action("d", "c3"))],
        ["warning discount-never-wins conditions.2", "warning discount-never-wins conditions.3"],
    ),
    Case(
        "an action that never fires, reported by its condition",
        [nodes(condition("c", "total-products", "gt", "200"), discount_action("a"), discount_action("b", "c"))],
        ["warning condition-never-holds conditions.0"],
    ),
]

BLOCKS = [
    Case("always", [nodes(action("a", "block-cart", text="No"))], ["error always-blocked conditions.0"]),
    Case("in a country", [nodes(country("c", "US"), action("a", "block-cart", "c", text="No"))]),
    Case(
        "whatever the rules allow",
        [rules("items gte 3"), nodes(FROM_3, action("a", "block-cart", "c3", text="No"))],
        ["error always-blocked conditions.1"],
    ),
    Case(
        "not what the rules allow as well",
        [rules("items gte 2"), nodes(FROM_3, action("a", "block-cart", "c3", text="No"))],
    ),
    Case("what the rules forbid", [rules("items lt 3"), nodes(FROM_3, action("a", "block-cart", "c3", text="No"))]),
]

HIDING = [
    Case(
        "a section, always",
        [SHIRTS_THEN_MUGS, nodes(action("a", "hide-section", sectionId=2))],
        ["warning always-hidden conditions.0"],
    ),
    Case("a section, sometimes", [SHIRTS_THEN_MUGS, nodes(FROM_3, action("a", "hide-section", "c3", sectionId=2))]),
    Case(
        "a product, always", [nodes(action("a", "hide-product", productId=200))], ["warning always-hidden conditions.0"]
    ),
    Case(
        "a required product, always",
        [nodes(action("a", "hide-product", productId=200)), REQUIRED_MUG],
        ["error always-hidden conditions.0"],
    ),
    Case(
        "a required product, sometimes", [nodes(FROM_3, action("a", "hide-product", "c3", productId=200)), REQUIRED_MUG]
    ),
    Case(
        "a required product, in a section",
        [nodes(action("a", "hide-product", productId=200, sectionId=1)), REQUIRED_MUG],
        ["warning always-hidden conditions.0"],
    ),
    Case("everything", [nodes(action("a", "hide-section", sectionId=1))], ["warning always-hidden conditions.0"]),
    Case(
        "a product that is not offered",
        [nodes(FROM_3, action("a", "hide-product", "c3", productId=300))],
        ["warning hides-nothing conditions.1"],
    ),
    Case(
        "a product of another section",
        [SHIRTS_THEN_MUGS, nodes(FROM_3, action("a", "hide-product", "c3", productId=200, sectionId=1))],
        ["warning hides-nothing conditions.1"],
    ),
    Case(
        "a product of the section",
        [SHIRTS_THEN_MUGS, nodes(FROM_3, action("a", "hide-product", "c3", productId=200, sectionId=2))],
    ),
    Case(
        "a required product of any section",
        [SHIRTS_THEN_MUGS, nodes(FROM_3, action("a", "hide-product", "c3", productId=200, sectionId=1)), REQUIRED_MUG],
    ),
]

GOING = [
    Case(
        "to what is hidden then",
        [
            SHIRTS_THEN_MUGS,
            nodes(
                FROM_3, action("a", "hide-section", "c3", sectionId=2), action("b", "goto-section", "c3", sectionId=2)
            ),
        ],
        ["warning goto-hidden-section conditions.2"],
    ),
    Case(
        "to what is hidden then and earlier",
        [
            SHIRTS_THEN_MUGS,
            nodes(
                FROM_3,
                FROM_6,
                action("a", "hide-section", "c3", sectionId=2),
                action("b", "goto-section", "c6", sectionId=2),
            ),
        ],
        ["warning goto-hidden-section conditions.3"],
    ),
    Case(
        "to what is hidden later",
        [
            SHIRTS_THEN_MUGS,
            nodes(
                FROM_3,
                FROM_6,
                action("a", "hide-section", "c6", sectionId=2),
                action("b", "goto-section", "c3", sectionId=2),
            ),
        ],
    ),
    Case(
        "elsewhere",
        [
            SHIRTS_THEN_MUGS,
            nodes(
                FROM_3, action("a", "hide-section", "c3", sectionId=2), action("b", "goto-section", "c3", sectionId=1)
            ),
        ],
    ),
]


@pytest.mark.parametrize("case", DISCOUNTS, ids=str)
def test_the_first_discount_that_fires_wins(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", BLOCKS, ids=str)
def test_actions_that_always_block(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", HIDING, ids=str)
def test_actions_that_hide(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", GOING, ids=str)
def test_actions_that_go_to_hidden_sections(case: Case) -> None:
    assert_found(case)


def test_the_product_of_a_free_item_on_a_live_platform_is_unknown() -> None:
    hide = action("a", "hide-product", "c3", productId=77)
    assert found(live(SHIRTS_AND_MUGS, nodes(FROM_3, hide))) == ["warning hides-nothing conditions.1"]
    assert found(live(SHIRTS_AND_MUGS, nodes(FROM_3, hide, action("b", "free-item", "c3", variantId=7)))) == []
