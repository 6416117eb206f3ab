"""A new type of limit rule or condition needs only a row in its table: all reasoning about selections uses the bounds in that
row.

In these tests, the tables contain rows of new types under the names of known types.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from unittest.mock import patch

import pytest
from hypothesis import given

from bundlesvc.domain.completion.task import Task, UnitKind, Wishes
from bundlesvc.domain.conditions.condition_types import (
    CONDITION_TYPES,
    PRODUCT_QUANTITY,
    TOTAL_PRICE,
    TOTAL_PRODUCTS,
    ConditionType,
    Facts,
    Quantity,
)
from bundlesvc.domain.line import Line
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.pricing.selection_price import PricedSelection
from bundlesvc.domain.rules.rule_types import (
    DIFFERENT,
    PRICE_AFTER,
    RULE_TYPES,
    TOTAL,
    TOTAL_WEIGHT,
    Measured,
    RuleType,
)
from bundlesvc.domain.unit_bounds import GRAMS, UP_TO_ONE, UP_TO_PRICE, UnitBounds
from bundlesvc.shop_file.loading import parse_shop_file
from tests.domain.builders import EUR, bundle, line_of, offer, product, rule, section, variant
from tests.domain.completion.brute_force import compared, searched
from tests.domain.completion.random_tasks import random_task
from tests.domain.listing.test_from_price import AT_MOST_ALL_THAT_IS_TRIED, computed, counts, parsed
from tests.running.properties import examples
from tests.shop_file.lint.linted import condition, discount_action, found, nodes, rules, shop
from tests.shop_file.lint.small_shops import Tree, selections, shops
from tests.shop_file.lint.test_soundness import assert_true
from tests.shop_file.shop_files import SHOP_YAML


def different_variants(lines: Iterable[Line]) -> int:
    return len({line.variant.id for line in lines})


def dearest(lines: Iterable[Line]) -> Decimal:
    return max((line.unit_price for line in lines), default=ZERO)


def heaviest(lines: Iterable[Line]) -> int:
    return max((line.variant.grams for line in lines), default=0)


UP_TO_GRAMS = UnitBounds(GRAMS.unit, UP_TO_ONE.least, GRAMS.most)


def _different(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Sequence[Measured]:
    return [Measured(Decimal(different_variants(lines)))]


def _dearest(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Sequence[Measured]:
    return [Measured(dearest(lines))]


def _heaviest(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Sequence[Measured]:
    return [Measured(Decimal(heaviest(lines)))]


NEW_RULES: dict[str, RuleType] = {
    row.name: row
    for row in (
        RuleType(DIFFERENT.name, _different, UP_TO_ONE, "{wanted} variants, not {actual}."),
        RuleType(PRICE_AFTER.name, _dearest, UP_TO_PRICE, "A unit of {wanted} {unit}, not {actual}."),
        RuleType(TOTAL_WEIGHT.name, _heaviest, UP_TO_GRAMS, "A unit of {wanted} {unit}, not {actual}."),
    )
}
NEW_CONDITIONS: dict[str, ConditionType] = {
    row.name: row
    for row in (
        Quantity(TOTAL_PRODUCTS.name, different_variants, UP_TO_ONE, "the number of variants"),
        Quantity(TOTAL_PRICE.name, dearest, UP_TO_PRICE, "the highest price"),
        Quantity(PRODUCT_QUANTITY.name, different_variants, UP_TO_ONE, "the number of sizes of {of}", of="productId"),
    )
}
new_rules = patch.dict(RULE_TYPES, NEW_RULES)
new_conditions = patch.dict(CONDITION_TYPES, NEW_CONDITIONS)

MUGS = "sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: 200}]}]"
"""A section with only a mug. Two such mugs are one variant, so code that counts variants must not take a selection of two mugs
for impossible."""


@new_rules
def test_linter_allows_more_units_than_different_variants() -> None:
    two = "requiredProducts: [{platformProductId: 200, quantity: 2}]"
    assert found(shop(MUGS, rules("different lte 1"), two)) == []


@new_conditions
def test_linter_knows_that_two_units_may_be_one_variant() -> None:
    off = nodes(condition("many", "total-products", "gte", "2"), discount_action("off", "many"))
    assert found(shop(rules("items gte 2"), off)) == []


@new_rules
def test_from_price_allows_more_units_than_different_variants() -> None:
    file = parse_shop_file(shop(MUGS, rules("items gte 2", "different lte 1")).encode(), SHOP_YAML)
    assert computed(file) == Decimal("16.00")


@new_rules
@new_conditions
def test_completion_adds_a_second_unit_of_a_variant() -> None:
    many = {"id": "many", "kind": "condition", "type": TOTAL_PRODUCTS.name, "operation": "gte", "value": "2"}
    block = {"id": "no", "kind": "action", "type": "block-cart", "when": "many", "text": "No."}
    mug = product(1, variant(11, price="8.00"))
    box = bundle(
        sections=(section(1, offer(1)),),
        limit_rules=(rule(TOTAL.name, "eq", "2"), rule(DIFFERENT.name, "lte", "1")),
        conditions=(many, block),
    )
    kinds = (UnitKind(line_of(mug, 11), 1, grows=True),)
    task = Task(box, box.graph, kinds, Facts("kg"), EUR, {}, Wishes())
    assert [each.counts for each in searched(task).result.found] == [(2,)]


@examples(100)
@given(shops())
@new_rules
@new_conditions
def test_no_finding_about_a_new_type_is_false(made: Tree) -> None:
    assert_true(made, made)


@examples(100)
@given(shops())
@new_rules
def test_from_price_with_new_rules_is_that_of_the_cheapest_selection(made: Tree) -> None:
    made["bundles"][0]["limitRules"].append(AT_MOST_ALL_THAT_IS_TRIED)
    file = parsed(made)
    price = computed(file)
    if price is not None:
        assert price == min(one.priced.pricing.discounted for one in selections(file) if counts(file, one))


@pytest.mark.parametrize("first", range(0, 60, 20))
@new_rules
@new_conditions
def test_completions_with_new_types_are_those_of_brute_force(first: int) -> None:
    seeds = range(first, first + 20)
    assert [(seed, wrong) for seed in seeds if (wrong := compared(random_task(seed)).difference)] == []
