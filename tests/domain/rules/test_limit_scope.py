"""Which units and prices count for limit rules (docs/contract.md#limit-rules)."""

import pytest

from bundlesvc.domain.bundle import Discount
from tests.domain.builders import flat, line, rule, tier, tiered
from tests.domain.rules.checks import (
    BEFORE,
    DIFFERENT,
    ITEMS,
    MULTIPLES,
    ONE_PRODUCT,
    ONE_VARIANT,
    PRICE,
    WEIGHT,
    check,
    failed,
)


@pytest.mark.parametrize(
    ("discount", "subscription", "actual"),
    [
        pytest.param(None, None, "30", id="no discount"),
        pytest.param(flat("percentage", "10"), None, "27", id="percentage"),
        pytest.param(flat("price", "19.50"), None, "19.5", id="price"),
        pytest.param(tiered("fixed", tier("total_products", "gte", "3", "4")), None, "26", id="tiered"),
        pytest.param(flat("percentage", "10"), "5", "25.65", id="percentage and subscription"),
        pytest.param(None, "5", "28.5", id="subscription"),
    ],
)
def test_price_is_measured_after_discount_and_subscription(
    discount: Discount | None, subscription: str | None, actual: str
) -> None:
    rules = [rule(PRICE, "gte", "1000"), rule(BEFORE, "gte", "1000"), rule(PRICE, "gte", "1000", 1)]

    faults = check(rules, [line(3)], discount=discount, subscription=subscription)

    assert [fault.extra["actual"] for fault in faults] == [actual, "30", actual]


@pytest.mark.parametrize(
    ("type_", "actual"),
    [
        pytest.param(PRICE, "18", id="price"),
        pytest.param(BEFORE, "20", id="price before discount"),
        pytest.param(ITEMS, "2", id="items"),
        pytest.param(DIFFERENT, "1", id="different"),
        pytest.param(ONE_PRODUCT, "2", id="one product"),
        pytest.param(ONE_VARIANT, "2", id="one variant"),
        pytest.param(WEIGHT, "0.2", id="weight"),
        pytest.param(MULTIPLES, "2", id="multiples"),
    ],
)
@pytest.mark.parametrize("section", [None, 1], ids=["bundle", "section"])
def test_granted_units_count_for_no_rule(type_: str, actual: str, section: int | None) -> None:
    granted = [line(1, grams=100), line(3, grams=500, variant_id=21)]
    wanted = rule(type_, "gte", "1000", section)

    (fault,) = check([wanted], [line(2, grams=100)], granted=granted, discount=flat("percentage", "10"))

    assert fault.extra["actual"] == actual


@pytest.mark.parametrize(
    ("type_", "limit"),
    [
        pytest.param(ITEMS, "3", id="items"),
        pytest.param(DIFFERENT, "2", id="different"),
        pytest.param(BEFORE, "30.00", id="price"),
        pytest.param(WEIGHT, "0.3", id="weight"),
        pytest.param(MULTIPLES, "3", id="multiples"),
    ],
)
def test_items_outside_sections_count_for_the_bundle_only(type_: str, limit: str) -> None:
    lines = [line(2, grams=100), line(1, grams=100, variant_id=21, section=0)]

    assert not check([rule(type_, "gte", limit)], lines)
    assert failed(check([rule(type_, "gte", limit, 1)], lines)) == ["limitRules.0"]


@pytest.mark.parametrize(
    ("void", "paths"),
    [
        pytest.param(frozenset(), ["limitRules.0", "limitRules.1", "limitRules.3", "limitRules.4"], id="none hidden"),
        pytest.param(frozenset({1}), ["limitRules.0", "limitRules.3", "limitRules.4"], id="section 1 hidden"),
        pytest.param(frozenset({2}), ["limitRules.0", "limitRules.1"], id="section 2 hidden"),
        pytest.param(frozenset({1, 2}), ["limitRules.0"], id="both hidden"),
        pytest.param(
            frozenset({3}), ["limitRules.0", "limitRules.1", "limitRules.3", "limitRules.4"], id="another hidden"
        ),
    ],
)
def test_rules_of_hidden_sections_are_void(void: frozenset[int], paths: list[str]) -> None:
    rules = [
        rule(ITEMS, "gte", "9"),
        rule(ITEMS, "gte", "9", 1),
        rule(ITEMS, "gte", "1", 1),
        rule(MULTIPLES, "gte", "9", 2),
        rule(ITEMS, "eq", "8", 2),
        rule(ITEMS, "eq", "9", 2),
    ]

    assert failed(check(rules, [line(2), line(2, variant_id=21, section=2)], void=void)) == paths
