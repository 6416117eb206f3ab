"""Findings about limit rules alone."""

import pytest

from tests.shop_file.lint.linted import (
    SHIRTS_THEN_MUGS,
    Case,
    action,
    assert_found,
    country,
    found,
    live,
    nodes,
    rules,
    shop,
)

HIDING = nodes(country("c", "US"), action("a", "hide-section", "c", sectionId=2))
FREE = nodes(country("c", "US"), action("a", "free-item", "c", variantId=2001))

NEVER = [
    Case("201 items", [rules("items gte 201")], ["error rule-never-holds limitRules.0"]),
    Case("200 items", [rules("items gte 200")]),
    Case("more than 200 items", [rules("items gt 200")], ["error rule-never-holds limitRules.0"]),
    Case("more than 199 items", [rules("items gt 199")]),
    Case("no item", [rules("items lte 0")], ["error rule-never-holds limitRules.0"]),
    Case("less than one item", [rules("items lt 1")], ["error rule-never-holds limitRules.0"]),
    Case("one item", [rules("items lte 1")]),
    Case("exactly none", [rules("items eq 0")], ["error rule-never-holds limitRules.0"]),
    Case("exactly one", [rules("items eq 1.00")]),
    Case("no item in a section", [SHIRTS_THEN_MUGS, rules("items lte 0 @1")]),
    Case("less than none in a section", [rules("items lt 0 @1")], ["error rule-never-holds limitRules.0"]),
    Case(
        "less than none where it may be hidden",
        [SHIRTS_THEN_MUGS, rules("items lt 0 @2"), HIDING],
        ["warning rule-never-holds limitRules.0"],
    ),
    Case("no paid item, free ones", [rules("items lte 0"), FREE]),
    Case("none of each product", [rules("each lt 1")], ["error rule-never-holds limitRules.0"]),
    Case("none of each product in a section", [rules("each lt 1 @1")], ["warning rule-never-holds limitRules.0"]),
    Case(
        "none of each, and one needed",
        [rules("each-variant lt 1 @1", "items gte 1 @1")],
        ["error rule-never-holds limitRules.0"],
    ),
    Case("no different products", [rules("different lt 1")], ["error rule-never-holds limitRules.0"]),
    Case("less than nothing", [rules("price lt 0")], ["error rule-never-holds limitRules.0"]),
    Case("multiples of 201", [rules("multiples 201")], ["error rule-never-holds limitRules.0"]),
    Case("multiples of 200", [rules("multiples 200")]),
    Case("multiples of a fraction", [rules("multiples 0.4")]),
]

CONTRADICTIONS = [
    Case("at least 5, at most 3", [rules("items gte 5", "items lte 3")], ["error rules-contradict limitRules.1"]),
    Case("at least 3, at most 3", [rules("items gte 3", "items lte 3")]),
    Case("more than 3, at most 3", [rules("items gt 3", "items lte 3")], ["error rules-contradict limitRules.1"]),
    Case("in the other order", [rules("items lte 3", "items gte 3.01")], ["error rules-contradict limitRules.1"]),
    Case("in different scopes", [SHIRTS_THEN_MUGS, rules("items gte 5 @1", "items lte 3 @2")]),
    Case(
        "each wrong rule once",
        [rules("items gte 5", "items lte 3", "items lt 4", "items lte 9")],
        ["error rules-contradict limitRules.1", "error rules-contradict limitRules.2"],
    ),
    Case(
        "in a section that may be hidden",
        [SHIRTS_THEN_MUGS, rules("items gte 5 @2", "items lte 3 @2"), HIDING],
        ["warning rules-contradict limitRules.1"],
    ),
    Case("of each product", [rules("each gte 3", "each lte 2")], ["error rules-contradict limitRules.1"]),
    Case(
        "of each product in a section that needs none",
        [rules("each gte 3 @1", "each lte 2 @1")],
        ["warning rules-contradict limitRules.1"],
    ),
    Case("of prices", [rules("price gte 30.01", "price lte 30")], ["error rules-contradict limitRules.1"]),
    Case("of the same price", [rules("price gte 30.00", "price lte 30")]),
    Case("exactly outside of bounds", [rules("items eq 4", "items lte 3")], ["error rules-contradict limitRules.0"]),
    Case(
        "alternatives that are all outside",
        [rules("items eq 4", "items lte 3", "items eq 6")],
        ["error rules-contradict limitRules.0"],
    ),
    Case("no whole number", [rules("items gt 2", "items lt 3")], ["error no-whole-number limitRules.1"]),
    Case("a whole number", [rules("items gt 2", "items lte 3")]),
    Case("not whole on both sides", [rules("items gte 2.5", "items lte 2.5")], ["error no-whole-number limitRules.1"]),
    Case("a whole number between", [rules("items gte 2.5", "items lte 3.5")]),
    Case("half an item", [rules("items eq 2.5")], ["error no-whole-number limitRules.0"]),
    Case("half a cent", [rules("full-price eq 16.005")], ["error no-whole-number limitRules.0"]),
    Case("a cent", [rules("full-price eq 16.00")]),
    Case("half a gram", [rules("weight eq 0.3505")], ["error no-whole-number limitRules.0"]),
    Case(
        "no multiple between",
        [
            rules("items gte 4", "items lte 5"),
        ],
        [],
    ),
    Case(
        "multiples out of bounds",
        [rules("items gte 4", "items lte 5", "multiples 3")],
        ["error multiples-out-of-bounds limitRules.2"],
    ),
    Case("multiples in bounds", [rules("items gte 4", "items lte 6", "multiples 3")]),
    Case(
        "multiples with alternatives",
        [rules("items eq 5", "multiples 3")],
        ["error multiples-out-of-bounds limitRules.1"],
    ),
    Case("multiples of 12 and 7", [rules("multiples 12", "multiples 7")]),
    Case(
        "multiples of 20 and 11",
        [rules("multiples 20", "multiples 11")],
        ["error multiples-out-of-bounds limitRules.1"],
    ),
    Case(
        "multiples in a section that may stay empty",
        [rules("multiples 3 @1", "items lte 2 @1")],
        ["error multiples-out-of-bounds limitRules.0"],
    ),
]

WITHOUT_EFFECT = [
    Case("at least none", [rules("items gte 0")], ["warning rule-without-effect limitRules.0"]),
    Case("at least one", [rules("items gte 1")]),
    Case("at most 200", [rules("items lte 200")], ["warning rule-without-effect limitRules.0"]),
    Case("at most 199", [rules("items lte 199")]),
    Case("less than 201", [rules("items lt 201 @1")], ["warning rule-without-effect limitRules.0"]),
    Case("any price", [rules("price gte 0")], ["warning rule-without-effect limitRules.0"]),
    Case("any weight", [rules("weight gte 0.0")], ["warning rule-without-effect limitRules.0"]),
    Case("some weight", [rules("weight gt 0")]),
    Case("multiples of nothing", ["limitRules: [{type: multiples-of}]"], ["warning rule-without-effect limitRules.0"]),
    Case("multiples of zero", [rules("multiples 0")], ["warning rule-without-effect limitRules.0"]),
    Case("multiples of one", [rules("multiples 1 @1")]),
]


@pytest.mark.parametrize("case", NEVER, ids=str)
def test_rules_that_never_hold(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", CONTRADICTIONS, ids=str)
def test_rules_that_contradict_one_another(case: Case) -> None:
    assert_found(case)


@pytest.mark.parametrize("case", WITHOUT_EFFECT, ids=str)
def test_rules_without_effect(case: Case) -> None:
    assert_found(case)


def test_rules_of_a_section_that_is_always_hidden_are_ignored() -> None:
    hidden = nodes(action("a", "hide-section", sectionId=2))
    text = shop(SHIRTS_THEN_MUGS, rules("items gte 5 @2", "items lte 3 @2", "items gte 0 @2"), hidden)
    assert found(text) == ["warning always-hidden conditions.0"]


def test_yen_have_no_minor_units() -> None:
    between = rules("price gt 20.00", "price lt 21.00")
    assert found(shop(between, settings="currency: JPY")) == ["error no-whole-number limitRules.1"]
    assert "no-whole-number" not in str(found(shop(between)))


def test_the_weight_unit_of_a_live_platform_is_unknown() -> None:
    assert found(live(rules("weight gt 0.1", "weight lt 0.10001"))) == []
    contradiction = rules("weight gt 0.1", "weight lt 0.1")
    assert found(live(contradiction)) == ["error rules-contradict limitRules.1"]
