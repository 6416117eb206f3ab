"""Findings about conditions and groups."""

import pytest

from tests.shop_file.lint.linted import (
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
    shop,
)

NEVER = ["warning condition-never-holds conditions.0"]
ALWAYS = ["warning condition-always-holds conditions.0"]
HELLO = action("a", "message", "c", text="Hello")
FREE_MUG = action("f", "free-item", "c", variantId=2001)
SUBSCRIBED = "id: c, kind: condition, type: subscription-chosen"
TWO_SHIRTS = "requiredProducts: [{platformProductId: 100, quantity: 2}]"
MONTHLY = "subscription: {mode: %s, groups: [{id: 1, options: [{frequency: 1, unit: month}]}]}"


def judged(type_: str, operation: str, value: str, **names: object) -> str:
    """Build the nodes of a single condition and of a discount that depends on it."""
    return nodes(condition("c", type_, operation, value, **names), discount_action("a", "c"))


def grouped(mode: str, *conditions: str) -> str:
    ids = [f"c{place}" for place in range(len(conditions))]
    each = [condition(id_, *text.split(" ")) for id_, text in zip(ids, conditions, strict=True)]
    return nodes(group("g", mode, *ids), *each, discount_action("a", "g"))


MONEY = [
    Case("more items than allowed", [rules("items lte 5"), judged("total-products", "gte", "6")], NEVER),
    Case("as many items as allowed", [rules("items lte 5"), judged("total-products", "gte", "5")]),
    Case("fewer items than needed", [rules("items gte 5"), judged("total-products", "lt", "5")], NEVER),
    Case("as few items as needed", [rules("items gte 5"), judged("total-products", "lte", "5")]),
    Case("as many items as needed", [rules("items gte 5"), judged("total-products", "gte", "5")], ALWAYS),
    Case("more items than needed", [rules("items gte 5"), judged("total-products", "gt", "5")]),
    Case("one item", [judged("total-products", "gte", "1")], ALWAYS),
    Case("no such multiple", [rules("multiples 6"), judged("total-products", "eq", "8")], NEVER),
    Case("in a section", [rules("items lte 5 @1"), judged("total-products", "gte", "6", sectionId=1)], NEVER),
    Case("a section's items", [rules("items lte 5 @1"), judged("section-quantity", "gte", "6", sectionId=1)], NEVER),
    Case(
        "another section's items",
        [SHIRTS_THEN_MUGS, rules("items lte 5 @1"), judged("section-quantity", "gte", "6", sectionId=2)],
    ),
    Case("of a product", [rules("each lte 2"), judged("product-quantity", "gt", "2", productId=100)], NEVER),
    Case("of a product, allowed", [rules("each lte 2"), judged("product-quantity", "gte", "2", productId=100)]),
    Case(
        "of a product in a section",
        [rules("each lte 2"), judged("product-quantity", "gt", "2", productId=100, sectionId=1)],
        NEVER,
    ),
    Case("of a required product", [TWO_SHIRTS, judged("product-quantity", "gte", "2", productId=100)], ALWAYS),
    Case(
        "of a required product in a section",
        [TWO_SHIRTS, judged("product-quantity", "gte", "2", productId=100, sectionId=1)],
    ),
    Case("dearer than anything", [rules("items lte 2"), judged("total-price", "gt", "50")], NEVER),
    Case("as dear as can be", [rules("items lte 2"), judged("total-price", "gte", "50")]),
    Case(
        "dearer than a section can be", [rules("items lte 2 @1"), judged("total-price", "gt", "50", sectionId=1)], NEVER
    ),
    Case("heavier than anything", [rules("items lte 2"), judged("total-weight", "gt", "0.7")], NEVER),
    Case("as heavy as can be", [rules("items lte 2"), judged("total-weight", "gte", "0.7")]),
    Case("always heavier", [rules("items gte 2"), judged("total-weight", "gte", "0.4")], ALWAYS),
    Case("a country", [nodes(country("c", "CH"), discount_action("a", "c"))]),
    Case("no subscription", [nodes(SUBSCRIBED, discount_action("a", "c"))], NEVER),
    Case("a subscription", [MONTHLY % "optional", nodes(SUBSCRIBED, discount_action("a", "c"))]),
    Case("a subscription that must be", [MONTHLY % "required", nodes(SUBSCRIBED, discount_action("a", "c"))], ALWAYS),
    Case(
        "free units are not seen", [rules("items gte 5"), nodes(condition("c", "total-products", "lt", "5"), FREE_MUG)]
    ),
    Case(
        "more than is allowed is not seen either",
        [rules("items lte 5"), nodes(condition("c", "total-products", "gt", "5"), FREE_MUG)],
        NEVER,
    ),
]

SPEAKING = [
    Case(
        "a message about too many items",
        [rules("items lte 5"), nodes(condition("c", "total-products", "gt", "5"), HELLO)],
    ),
    Case(
        "a message about too few items",
        [rules("items gte 5"), nodes(condition("c", "total-products", "lt", "5"), HELLO)],
    ),
    Case("a message to everybody who has something", [nodes(condition("c", "total-products", "gte", "1"), HELLO)]),
    Case("a message to everybody", [nodes(condition("c", "total-products", "gte", "0"), HELLO)], ALWAYS),
    Case("a message to nobody", [nodes(condition("c", "total-products", "gt", "200"), HELLO)], NEVER),
    Case(
        "a message and a discount",
        [rules("items lte 5"), nodes(condition("c", "total-products", "gt", "5"), HELLO, discount_action("d", "c"))],
    ),
    Case(
        "a product that is not offered",
        [nodes(condition("c", "product-quantity", "gte", "1", productId=300), HELLO)],
        NEVER,
    ),
    Case(
        "no product that is not offered",
        [nodes(condition("c", "product-quantity", "lt", "1", productId=300), HELLO)],
        ALWAYS,
    ),
    Case(
        "a product of another section",
        [SHIRTS_THEN_MUGS, nodes(condition("c", "product-quantity", "gte", "1", productId=200, sectionId=1), HELLO)],
        NEVER,
    ),
    Case(
        "a variant that is not offered",
        [nodes("id: c, kind: condition, type: variant-selected, variantId: 3001", HELLO)],
        NEVER,
    ),
    Case(
        "a variant that is offered", [nodes("id: c, kind: condition, type: variant-selected, variantId: 1001", HELLO)]
    ),
    Case(
        "a free item may be chosen",
        [
            nodes(
                condition("c", "product-quantity", "gte", "2", productId=300),
                action("a", "free-item", "c", variantId=3001),
            )
        ],
    ),
    Case(
        "a required product may be chosen anywhere",
        [
            SHIRTS_THEN_MUGS,
            "requiredProducts: [{platformProductId: 200}]",
            nodes(condition("c", "product-quantity", "gte", "1", productId=200, sectionId=1), HELLO),
        ],
    ),
]

GROUPS = [
    Case("both", [grouped("all", "total-products gte 3", "total-products lte 5")]),
    Case("both, which cannot be", [grouped("all", "total-products gte 6", "total-products lte 5")], NEVER),
    Case("either, which must be", [grouped("any", "total-products gte 6", "total-products lte 5")], ALWAYS),
    Case("either, with a gap", [grouped("any", "total-products gte 6", "total-products lt 5")]),
    Case("neither, which cannot be", [grouped("none", "total-products gte 6", "total-products lte 5")], NEVER),
    Case(
        "neither, which must be",
        [
            nodes(
                group("n", "none", "g"),
                group("g", "all", "c0", "c1"),
                condition("c0", "total-products", "gte", "6"),
                condition("c1", "total-products", "lt", "6"),
                discount_action("a", "n"),
            )
        ],
        ["warning condition-never-holds conditions.1"],
    ),
    Case(
        "two countries",
        [nodes(group("g", "all", "c0", "c1"), country("c0", "CH"), country("c1", "AT"), discount_action("a", "g"))],
        NEVER,
    ),
    Case(
        "one of two countries",
        [nodes(group("g", "any", "c0", "c1"), country("c0", "CH"), country("c1", "AT"), discount_action("a", "g"))],
    ),
    Case(
        "no country of two",
        [nodes(group("g", "none", "c0", "c1"), country("c0", "CH"), country("c1", "AT"), discount_action("a", "g"))],
    ),
    Case("different measures", [grouped("all", "total-products gte 6", "total-price lte 48")]),
    Case(
        "nested",
        [
            nodes(
                group("g", "all", "h", "c0"),
                group("h", "any", "c1", "c2"),
                condition("c0", "total-products", "lte", "5"),
                condition("c1", "total-products", "gte", "6"),
                condition("c2", "total-products", "gte", "8"),
                discount_action("a", "g"),
            )
        ],
        NEVER,
    ),
    Case("all of nothing", [grouped("all")], ALWAYS),
    Case("any of nothing", [grouped("any")], NEVER),
    Case("none of nothing", [grouped("none")], ALWAYS),
    Case(
        "explained by a condition",
        [
            nodes(
                group("g", "all", "c", "d"),
                condition("c", "total-products", "gt", "200"),
                country("d", "CH"),
                discount_action("a", "g"),
            )
        ],
        ["warning condition-never-holds conditions.1"],
    ),
]

UNREACHABLE = [
    Case("nothing depends on it", [nodes(country("c", "CH"))], ["warning node-unreachable conditions.0"]),
    Case(
        "only the outermost is reported",
        [nodes(country("c", "CH"), group("g", "all", "c"))],
        ["warning node-unreachable conditions.1"],
    ),
    Case("an action depends on it", [nodes(country("c", "CH"), group("g", "all", "c"), discount_action("a", "g"))]),
    Case(
        "used next to an unreachable group",
        [nodes(country("c", "CH"), group("g", "all", "c"), discount_action("a", "c"))],
        ["warning node-unreachable conditions.1"],
    ),
    Case(
        "a node of another engine may depend on it",
        [nodes(country("c", "CH"), "id: x, kind: cascade-variant, children: [c]")],
    ),
    Case("an action without a condition", [nodes(action("a", "message", text="Hello"))]),
]

NOT_RUN = [
    Case("an unknown action", [nodes("id: a, kind: action, type: fireworks")], ["warning node-not-run conditions.0"]),
    Case("an unknown kind", [nodes("id: a, kind: acton, type: message")], ["warning node-not-run conditions.0"]),
    Case(
        "an unknown condition and all that needs it",
        [nodes("id: c, kind: condition, type: moon-phase", group("g", "all", "c"), discount_action("a", "g"))],
        ["warning node-not-run conditions.0"],
    ),
    Case("cascade-variant by itself", [nodes("id: x, kind: cascade-variant")]),
    Case(
        "an action that needs cascade-variant",
        [nodes("id: x, kind: cascade-variant", discount_action("a", "x"))],
        ["warning node-not-run conditions.0"],
    ),
]


@pytest.mark.parametrize("case", MONEY, ids=str)
def test_conditions_of_discounts(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", SPEAKING, ids=str)
def test_conditions_of_messages(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", GROUPS, ids=str)
def test_groups(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", UNREACHABLE, ids=str)
def test_unreachable_nodes(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", NOT_RUN, ids=str)
def test_nodes_that_are_not_run(case: Case) -> None:
    assert_found(case)


def test_conditions_are_ignored_without_the_feature() -> None:
    assert found(shop(nodes(country("c", "CH")), features="translations")) == [
        "warning feature-off shop.activeFeatures"
    ]


def test_the_variants_of_a_live_platform_are_unknown() -> None:
    variant = nodes("id: c, kind: condition, type: variant-selected, variantId: 77", HELLO)
    assert found(live(variant)) == []
    product = nodes(condition("c", "product-quantity", "gte", "1", productId=77), HELLO)
    assert found(live(product)) == NEVER
    free = nodes(
        condition("c", "product-quantity", "gte", "1", productId=77), action("a", "free-item", "c", variantId=7)
    )
    assert found(live(free)) == []
