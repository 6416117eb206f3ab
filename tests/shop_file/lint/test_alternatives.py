"""Findings about alternative `eq` rules, some of which can never be met."""

import pytest

from tests.shop_file.lint.linted import SHIRTS_THEN_MUGS, Case, assert_found, rules

CASES = [
    Case(
        "above the maximum",
        [rules("items eq 6", "items eq 12", "items lte 10")],
        ["warning eq-out-of-bounds limitRules.1"],
    ),
    Case("at the maximum", [rules("items eq 6", "items eq 12", "items lte 12")]),
    Case(
        "below the minimum",
        [rules("items gt 6", "items eq 6", "items eq 12")],
        ["warning eq-out-of-bounds limitRules.1"],
    ),
    Case("above 200", [rules("items eq 200", "items eq 201")], ["warning eq-out-of-bounds limitRules.1"]),
    Case("not whole", [rules("items eq 6", "items eq 6.5")], ["warning eq-out-of-bounds limitRules.1"]),
    Case("no multiple", [rules("items eq 6", "items eq 10", "multiples 3")], ["warning eq-out-of-bounds limitRules.1"]),
    Case(
        "more than there may be of each",
        [rules("items eq 2", "items eq 3", "each lte 1")],
        ["warning eq-out-of-bounds limitRules.1"],
    ),
    Case("as many as there may be of each", [rules("items eq 2", "items eq 4", "each lte 2")]),
    Case(
        "of a section, above the bundle's maximum",
        [SHIRTS_THEN_MUGS, rules("items lte 10", "items eq 6 @1", "items eq 12 @1")],
        ["warning eq-out-of-bounds limitRules.2"],
    ),
    Case(
        "of a section, besides what another needs",
        [SHIRTS_THEN_MUGS, rules("items lte 10", "items eq 6 @1", "items eq 8 @1", "items gte 3 @2")],
        ["warning eq-out-of-bounds limitRules.2"],
    ),
    Case(
        "of a section, besides what another may have",
        [SHIRTS_THEN_MUGS, rules("items lte 10", "items eq 6 @1", "items eq 8 @1", "items gte 2 @2")],
    ),
    Case("of a price", [rules("price eq 20", "price eq 30", "price lt 30")], ["warning eq-out-of-bounds limitRules.1"]),
    Case(
        "a single one that is never met is a contradiction",
        [rules("items eq 12", "items lte 10")],
        ["error rules-contradict limitRules.0"],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_alternatives_that_are_never_met(case: Case) -> None:
    assert_found(case)
