"""Limit rules: what each one measures, both sides of every limit, alternatives, and faults (docs/contract.md#limit-rules)."""

from collections.abc import Sequence
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import Discount, LimitRule
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.errors import Fault
from bundlesvc.domain.line import Line
from bundlesvc.domain.pricing.selection_price import price_selection
from bundlesvc.domain.rules.limit_rules import Scope, check_limit_rules
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from tests.domain.builders import (
    BOUNDARIES,
    EUR,
    JPY,
    OUTCOMES,
    bundle,
    flat,
    line,
    line_of,
    product,
    rule,
    tier,
    tiered,
    variant,
)
from tests.domain.strategies import PROPERTY, currencies, discounts, limit_rules, percentages, selections

PRICE, BEFORE = "bundle-price", "bundle-price-before-discount"
ITEMS, DIFFERENT, MULTIPLES = "total-number-of-products", "number-of-different-products", "multiples-of"
ONE_PRODUCT, ONE_VARIANT = "amount-of-one-product", "amount-of-one-variant"
WEIGHT = "amount-of-weight"


def check(
    rules: Sequence[LimitRule],
    lines: Sequence[Line],
    *,
    discount: Discount | None = None,
    subscription: str | None = None,
    granted: Sequence[Line] = (),
    unit: str = "kg",
    currency: str = EUR,
    void: frozenset[int] = frozenset(),
) -> list[Fault]:
    percentage = None if subscription is None else Decimal(subscription)
    outcome = Outcome(tuple(lines), tuple(granted))
    priced = price_selection(bundle(discount=discount), outcome, currency, percentage)
    return check_limit_rules(rules, Scope(priced, unit), void)


def texts(fault: Fault) -> tuple[str, str, str]:
    """The limit, the actual value and the shortfall reported by a fault, as strings."""
    return fault.extra["limit"], fault.extra["actual"], fault.extra["missing"]


def failed(faults: Sequence[Fault]) -> list[str]:
    return [fault.path for fault in faults]


FIVE_OFF = flat("fixed", "5.00")
MEASURES: dict[str, tuple[str, dict[str, list[Line]]]] = {
    PRICE: (
        "30.00",
        {
            "below": [line(price="20.00"), line(price="14.99", variant_id=21)],
            "at": [line(price="20.00"), line(price="15.00", variant_id=21)],
            "above": [line(price="20.00"), line(price="15.01", variant_id=21, section=2)],
        },
    ),
    BEFORE: (
        "30.00",
        {
            "below": [line(2, price="10.00"), line(price="9.99", variant_id=21)],
            "at": [line(2, price="10.00"), line(price="10.00", variant_id=21)],
            "above": [line(2, price="10.00"), line(price="10.01", variant_id=21, section=2)],
        },
    ),
    ITEMS: (
        "3",
        {
            "below": [line(1), line(1, variant_id=21)],
            "at": [line(2), line(1, variant_id=21, section=2)],
            "above": [line(2), line(2, variant_id=21)],
        },
    ),
    ONE_PRODUCT: (
        "3",
        {
            "below": [line(1, variant_id=11), line(1, variant_id=12)],
            "at": [line(1, variant_id=11), line(1, variant_id=12), line(1, variant_id=11, section=2)],
            "above": [line(4, variant_id=12)],
        },
    ),
    ONE_VARIANT: (
        "3",
        {
            "below": [line(2, variant_id=11), line(2, variant_id=12)],
            "at": [line(2, variant_id=11), line(3, variant_id=12), line(1, variant_id=11, section=2)],
            "above": [line(4, variant_id=11), line(4, variant_id=12)],
        },
    ),
    DIFFERENT: (
        "3",
        {
            "below": [line(9, variant_id=11), line(1, variant_id=12), line(1, variant_id=21)],
            "at": [line(variant_id=11), line(variant_id=21), line(variant_id=31), line(variant_id=31, section=2)],
            "above": [line(variant_id=11), line(variant_id=21), line(variant_id=31), line(variant_id=41)],
        },
    ),
    WEIGHT: (
        "3",
        {
            "below": [line(2, grams=1000), line(1, grams=999, variant_id=21)],
            "at": [line(2, grams=1000), line(1, grams=1000, variant_id=21, section=2)],
            "above": [line(2, grams=1000), line(1, grams=1001, variant_id=21)],
        },
    ),
}
"""For each type: a limit, and selections one step below, at and above it, with 5.00 off."""


def test_all_rule_types_are_tested() -> None:
    assert set(RULE_TYPES) == {*MEASURES, MULTIPLES}


@pytest.mark.parametrize(("operation", "side", "held"), BOUNDARIES)
@pytest.mark.parametrize("type_", MEASURES)
def test_rule_boundaries(type_: str, operation: str, side: str, held: bool) -> None:
    limit, selection = MEASURES[type_]

    faults = check([rule(type_, operation, limit)], selection[side], discount=FIVE_OFF)

    assert (not faults) is held


@pytest.mark.parametrize(
    ("value", "count", "held"),
    [
        pytest.param("6", 5, False, id="one too few"),
        pytest.param("6", 6, True, id="once"),
        pytest.param("6", 7, False, id="one too many"),
        pytest.param("6", 12, True, id="twice"),
        pytest.param("6.00", 12, True, id="written with decimals"),
        pytest.param("1", 7, True, id="of one"),
        pytest.param("0", 7, True, id="zero: no rule"),
        pytest.param("0.00", 7, True, id="zero with decimals: no rule"),
        pytest.param("", 7, True, id="empty: no rule"),
        pytest.param("2.5", 5, True, id="5 is twice 2.5"),
        pytest.param("2.5", 4, False, id="4 is not"),
        pytest.param("0.5", 1, True, id="1 is twice 0.5"),
        pytest.param("0.9", 9, True, id="9 is ten times 0.9"),
        pytest.param("0.9", 10, False, id="10 is not"),
        pytest.param("400", 200, False, id="more than a selection holds"),
    ],
)
@pytest.mark.parametrize("operation", OUTCOMES)
def test_multiples_of(operation: str, value: str, count: int, held: bool) -> None:
    faults = check([rule(MULTIPLES, operation, value)], [line(count - 1), line(1, variant_id=21, section=2)])

    assert (not faults) is held


@pytest.mark.parametrize(
    ("value", "held"),
    [
        pytest.param("6", False, id="zero is no positive multiple"),
        pytest.param("0", True, id="zero: no rule"),
        pytest.param("", True, id="empty: no rule"),
    ],
)
def test_no_items_are_a_multiple_only_of_zero(value: str, held: bool) -> None:
    assert (not check([rule(MULTIPLES, "gte", value, 2)], [line(3)])) is held


@pytest.mark.parametrize(
    ("counts", "held"),
    [
        pytest.param((4,), False, id="of 4 only"),
        pytest.param((6,), False, id="of 6 only"),
        pytest.param((12,), True, id="of both"),
    ],
)
def test_multiples_of_are_never_alternatives(counts: tuple[int], held: bool) -> None:
    faults = check([rule(MULTIPLES, "eq", "4"), rule(MULTIPLES, "eq", "6")], [line(*counts)])

    assert (not faults) is held
    assert all("alternatives" not in fault.extra for fault in faults)


@pytest.mark.parametrize(
    ("unit", "value", "grams", "held"),
    [
        pytest.param("g", "100", 99, False, id="99 g"),
        pytest.param("g", "100", 100, True, id="100 g"),
        pytest.param("kg", "1.5", 1499, False, id="1.499 kg"),
        pytest.param("kg", "1.5", 1500, True, id="1.5 kg"),
        pytest.param("oz", "1", 28, False, id="an ounce has more than 28 g"),
        pytest.param("oz", "1", 29, True, id="and less than 29 g"),
        pytest.param("oz", "16", 453, False, id="16 ounces are a pound, more than 453 g"),
        pytest.param("oz", "16", 454, True, id="and less than 454 g"),
        pytest.param("lb", "1", 453, False, id="a pound has more than 453 g"),
        pytest.param("lb", "1", 454, True, id="and less than 454 g"),
        pytest.param("lb", "100", 45359, False, id="45359.237 g are more than 45359"),
        pytest.param("lb", "100", 45360, True, id="and less than 45360"),
    ],
)
def test_weight_rule_uses_the_shops_unit(unit: str, value: str, grams: int, held: bool) -> None:
    assert (not check([rule(WEIGHT, "gte", value)], [line(grams=grams)], unit=unit)) is held


@pytest.mark.parametrize(
    ("unit", "value"),
    [pytest.param("lb", "100000", id="100,000 lb"), pytest.param("oz", "1600000", id="1,600,000 oz")],
)
def test_weight_factors_are_exact(unit: str, value: str) -> None:
    grams = 45_359_237

    assert not check([rule(WEIGHT, "eq", value)], [line(grams=grams)], unit=unit)
    assert check([rule(WEIGHT, "eq", value)], [line(grams=grams + 1)], unit=unit)


SECTIONS = [
    line(1, variant_id=11, section=1, price="10.00", grams=100),
    line(2, variant_id=21, section=2, price="10.00", grams=300),
    line(1, variant_id=31, section=2, price="0.00", grams=300),
]
"""Section 1: 1 item, 10.00, 100 g. Section 2: 3 items, 20.00, 900 g. Together 4 items, 30.00, 1 kg."""


@pytest.mark.parametrize(
    ("type_", "section", "actual"),
    [
        # 1.00 off, split over 10.00, 20.00 and 0.00: 0.33, 0.67 and 0.00
        pytest.param(PRICE, None, "29", id="price"),
        pytest.param(PRICE, 1, "9.67", id="price, share of section 1"),
        pytest.param(PRICE, 2, "19.33", id="price, share of section 2"),
        pytest.param(PRICE, 3, "0", id="price, empty section"),
        pytest.param(BEFORE, None, "30", id="price before discount"),
        pytest.param(BEFORE, 1, "10", id="price before discount, section 1"),
        pytest.param(BEFORE, 2, "20", id="price before discount, section 2"),
        pytest.param(BEFORE, 3, "0", id="price before discount, empty section"),
        pytest.param(ITEMS, None, "4", id="items"),
        pytest.param(ITEMS, 1, "1", id="items, section 1"),
        pytest.param(ITEMS, 2, "3", id="items, section 2"),
        pytest.param(ITEMS, 3, "0", id="items, empty section"),
        pytest.param(MULTIPLES, None, "4", id="multiples"),
        pytest.param(MULTIPLES, 2, "3", id="multiples, section 2"),
        pytest.param(DIFFERENT, None, "3", id="different"),
        pytest.param(DIFFERENT, 1, "1", id="different, section 1"),
        pytest.param(DIFFERENT, 2, "2", id="different, section 2"),
        pytest.param(DIFFERENT, 3, "0", id="different, empty section"),
        pytest.param(WEIGHT, None, "1", id="weight"),
        pytest.param(WEIGHT, 1, "0.1", id="weight, section 1"),
        pytest.param(WEIGHT, 2, "0.9", id="weight, section 2"),
        pytest.param(WEIGHT, 3, "0", id="weight, empty section"),
    ],
)
def test_rule_measures_its_section_or_the_bundle(type_: str, section: int | None, actual: str) -> None:
    (fault,) = check([rule(type_, "gte", "1000", section)], SECTIONS, discount=flat("fixed", "1.00"))

    assert (fault.extra["actual"], fault.extra["sectionId"]) == (actual, section)


@pytest.mark.parametrize("type_", [ONE_PRODUCT, ONE_VARIANT])
@pytest.mark.parametrize(
    ("section", "actuals"),
    [
        pytest.param(None, {"1": "1", "2": "3", "3": "1"}, id="whole bundle"),
        pytest.param(1, {"1": "1", "2": "1"}, id="section 1"),
        pytest.param(2, {"2": "2", "3": "1"}, id="section 2"),
        pytest.param(3, {}, id="an empty section has nothing that could fail"),
    ],
)
def test_scopes_of_per_product_rules(type_: str, section: int | None, actuals: dict[str, str]) -> None:
    lines = [*SECTIONS, line(1, variant_id=21, section=1)]
    suffix = "" if type_ == ONE_PRODUCT else "1"
    name = "platformProductId" if type_ == ONE_PRODUCT else "platformVariantId"

    faults = check([rule(type_, "gte", "9", section)], lines)

    assert {fault.extra[name]: fault.extra["actual"] for fault in faults} == {
        product_id + suffix: actual for product_id, actual in actuals.items()
    }


@pytest.mark.parametrize(
    ("type_", "names"),
    [
        pytest.param(ONE_PRODUCT, [{"platformProductId": "2"}], id="product 2; product 1 has 3 in two variants"),
        pytest.param(
            ONE_VARIANT,
            [{"platformVariantId": "11"}, {"platformVariantId": "12"}, {"platformVariantId": "21"}],
            id="every variant",
        ),
    ],
)
def test_per_product_rules_report_each_product_that_fails(type_: str, names: list[dict[str, str]]) -> None:
    shirt = product(1, variant(11), variant(12))
    lines = [line_of(shirt, 11, 1), line_of(shirt, 12, 2), line(2, variant_id=21), line(3, variant_id=31)]

    faults = check([rule(type_, "gte", "3")], lines)

    assert [{name: fault.extra[name] for name in names[0]} for fault in faults] == names
    assert all(fault.path == "limitRules.0" for fault in faults)
    assert all(len({"platformProductId", "platformVariantId"} & fault.extra.keys()) == 1 for fault in faults)


@pytest.mark.parametrize(
    ("wanted", "count", "actual", "missing"),
    [
        pytest.param(rule(ITEMS, "gte", "3"), 2, "2", "1", id="gte, one below"),
        pytest.param(rule(ITEMS, "gte", "3.00"), 1, "1", "2", id="gte, two below"),
        pytest.param(rule(ITEMS, "gte", "2.5"), 2, "2", "1", id="gte, items are whole"),
        pytest.param(rule(ITEMS, "gt", "3"), 3, "3", "1", id="gt, at"),
        pytest.param(rule(ITEMS, "gt", "3"), 2, "2", "2", id="gt, one below"),
        pytest.param(rule(ITEMS, "gt", "2.5"), 2, "2", "1", id="gt, items are whole"),
        pytest.param(rule(ITEMS, "eq", "3"), 2, "2", "1", id="eq, one below"),
        pytest.param(rule(ITEMS, "eq", "3"), 4, "4", "0", id="eq, one above"),
        pytest.param(rule(ITEMS, "lte", "3"), 4, "4", "0", id="lte, one above"),
        pytest.param(rule(ITEMS, "lt", "3"), 3, "3", "0", id="lt, at"),
        pytest.param(rule(ITEMS, "gte", "100"), 10, "10", "90", id="tens stay plain"),
        pytest.param(rule(ONE_PRODUCT, "gte", "3"), 1, "1", "2", id="one product"),
        pytest.param(rule(ONE_PRODUCT, "gt", "3"), 3, "3", "1", id="one product, gt"),
        pytest.param(rule(ONE_VARIANT, "gte", "3"), 1, "1", "2", id="one variant"),
        pytest.param(rule(ONE_VARIANT, "lte", "3"), 4, "4", "0", id="one variant, lte"),
        pytest.param(rule(DIFFERENT, "gte", "3"), 9, "1", "2", id="different"),
        pytest.param(rule(DIFFERENT, "gt", "1"), 9, "1", "1", id="different, gt"),
        pytest.param(rule(MULTIPLES, "gte", "6"), 7, "7", "5", id="multiples"),
        pytest.param(rule(MULTIPLES, "lte", "6"), 11, "11", "1", id="multiples, operation not read"),
        pytest.param(rule(MULTIPLES, "gte", "6.00"), 1, "1", "5", id="multiples, decimals"),
        pytest.param(rule(MULTIPLES, "gte", "2.5"), 3, "3", "2", id="multiples of 2.5 among whole numbers: of 5"),
        pytest.param(rule(MULTIPLES, "gte", "0.9"), 10, "10", "8", id="multiples of 0.9 among whole numbers: of 9"),
        pytest.param(rule(MULTIPLES, "gte", "6", 2), 3, "0", "6", id="multiples, none there"),
    ],
)
def test_missing_items(wanted: LimitRule, count: int, actual: str, missing: str) -> None:
    (fault,) = check([wanted], [line(count)])

    assert texts(fault) == (wanted.value, actual, missing)


@pytest.mark.parametrize(
    ("wanted", "amount", "currency", "actual", "missing"),
    [
        pytest.param(rule(PRICE, "gte", "30.00"), "29.99", EUR, "29.99", "0.01", id="gte"),
        pytest.param(rule(PRICE, "gte", "30"), "25.50", EUR, "25.5", "4.5", id="no trailing zeros"),
        pytest.param(rule(PRICE, "gte", "30"), "20.00", EUR, "20", "10", id="whole"),
        pytest.param(rule(PRICE, "gt", "30"), "30.00", EUR, "30", "0.01", id="gt, one cent beyond"),
        pytest.param(rule(PRICE, "gt", "30"), "29.00", EUR, "29", "1.01", id="gt, from below"),
        pytest.param(rule(PRICE, "eq", "30"), "29.50", EUR, "29.5", "0.5", id="eq, below"),
        pytest.param(rule(PRICE, "eq", "30"), "30.01", EUR, "30.01", "0", id="eq, above"),
        pytest.param(rule(PRICE, "lte", "30"), "30.01", EUR, "30.01", "0", id="lte"),
        pytest.param(rule(PRICE, "lt", "30"), "30.00", EUR, "30", "0", id="lt"),
        pytest.param(rule(BEFORE, "gte", "30.00"), "29.90", EUR, "29.9", "0.1", id="before discount"),
        pytest.param(rule(BEFORE, "gt", "30"), "30.00", EUR, "30", "0.01", id="before discount, gt"),
        pytest.param(rule(PRICE, "gt", "3000"), "3000", JPY, "3000", "1", id="gt, one yen beyond"),
        pytest.param(rule(PRICE, "gte", "3000"), "2100", JPY, "2100", "900", id="yen"),
    ],
)
def test_missing_amounts(wanted: LimitRule, amount: str, currency: str, actual: str, missing: str) -> None:
    (fault,) = check([wanted], [line(price=amount)], currency=currency)

    assert texts(fault) == (wanted.value, actual, missing)


@pytest.mark.parametrize(
    ("wanted", "unit", "grams", "actual", "missing"),
    [
        pytest.param(rule(WEIGHT, "lte", "1.3"), "kg", 1340, "1.34", "0", id="the design's example"),
        pytest.param(rule(WEIGHT, "lt", "1.3"), "kg", 1300, "1.3", "0", id="lt"),
        pytest.param(rule(WEIGHT, "gte", "1.5"), "kg", 1340, "1.34", "0.16", id="gte"),
        pytest.param(rule(WEIGHT, "gte", "1.50"), "kg", 0, "0", "1.5", id="nothing there"),
        pytest.param(rule(WEIGHT, "gt", "1.34"), "kg", 1340, "1.34", "0.001", id="gt, one gram beyond"),
        pytest.param(rule(WEIGHT, "gt", "100"), "g", 100, "100", "1", id="gt in grams"),
        pytest.param(rule(WEIGHT, "gt", "100"), "g", 90, "90", "11", id="gt in grams, from below"),
        pytest.param(rule(WEIGHT, "eq", "2"), "kg", 1999, "1.999", "0.001", id="eq, below"),
        pytest.param(rule(WEIGHT, "eq", "2"), "kg", 2001, "2.001", "0", id="eq, above"),
        # 226 g is 7.97191… oz; 8 oz is 226.796185 g, and the missing 0.796185 g is 0.02808… oz
        pytest.param(rule(WEIGHT, "gte", "8"), "oz", 226, "7.972", "0.028", id="ounces"),
        # 453 g is 0.99869… lb; the missing 0.59237 g is 0.00130… lb
        pytest.param(rule(WEIGHT, "gte", "1"), "lb", 453, "0.999", "0.001", id="pounds"),
        # 700 g is 1.54323… lb
        pytest.param(rule(WEIGHT, "lte", "1.5"), "lb", 700, "1.543", "0", id="pounds, too much"),
        # 1300.5 g is required: 0.5 g (0.0005 kg) is missing
        pytest.param(rule(WEIGHT, "gte", "1.3005"), "kg", 1300, "1.3", "0.001", id="half up at three decimals"),
    ],
)
def test_missing_weights(wanted: LimitRule, unit: str, grams: int, actual: str, missing: str) -> None:
    (fault,) = check([wanted], [line(grams=grams)], unit=unit)

    assert texts(fault) == (wanted.value, actual, missing)


@pytest.mark.parametrize(
    ("values", "count", "limit", "place", "missing"),
    [
        pytest.param(["6", "12", "24"], 5, "6", 0, "1", id="below the first"),
        pytest.param(["6", "12", "24"], 7, "6", 0, "0", id="nearest below"),
        pytest.param(["6", "12", "24"], 11, "12", 1, "1", id="nearest above"),
        pytest.param(["6", "12", "24"], 99, "24", 2, "0", id="above the last"),
        pytest.param(["24", "6", "12"], 11, "12", 2, "1", id="in any order"),
        pytest.param(["6.00", "12.50"], 5, "6.00", 0, "1", id="as they were written"),
        pytest.param(["6", "12"], 9, "6", 0, "0", id="a tie: the first listed"),
    ],
)
def test_alternatives_are_one_failure(values: list[str], count: int, limit: str, place: int, missing: str) -> None:
    (fault,) = check([rule(ITEMS, "eq", value) for value in values], [line(count)])

    assert texts(fault) == (limit, str(count), missing)
    assert fault.extra["alternatives"] == values
    assert fault.path == f"limitRules.{place}"


@pytest.mark.parametrize("count", [6, 12, 24])
def test_one_alternative_must_be_met(count: int) -> None:
    assert not check([rule(ITEMS, "eq", value) for value in ("6", "12", "24.00")], [line(count)])


@pytest.mark.parametrize(
    ("type_", "limits", "lines"),
    [
        pytest.param(PRICE, ("10.00", "20.00"), [line(2)], id="price"),
        pytest.param(BEFORE, ("10.00", "20.00"), [line(2)], id="price before discount"),
        pytest.param(DIFFERENT, ("1", "2"), [line(), line(variant_id=21)], id="different"),
        pytest.param(WEIGHT, ("1", "2"), [line(2, grams=1000)], id="weight"),
    ],
)
def test_every_measure_can_have_alternatives(type_: str, limits: tuple[str, str], lines: list[Line]) -> None:
    rules = [rule(type_, "eq", limit) for limit in limits]

    assert not check(rules, lines)
    assert len(check(rules, [*lines, line(5, grams=7, variant_id=31)])) == 1


@pytest.mark.parametrize("type_", [ONE_PRODUCT, ONE_VARIANT])
@pytest.mark.parametrize(
    ("first", "second", "held"),
    [
        pytest.param(2, 2, True, id="both hold the first"),
        pytest.param(3, 3, True, id="both hold the second"),
        pytest.param(2, 3, False, id="each holds another one"),
        pytest.param(2, 4, False, id="one holds none"),
        pytest.param(1, 1, False, id="nobody holds any"),
    ],
)
def test_per_product_alternative_must_be_met_by_all_products(type_: str, first: int, second: int, held: bool) -> None:
    rules = [rule(type_, "eq", "2"), rule(type_, "eq", "3")]

    faults = check(rules, [line(first, variant_id=11), line(second, variant_id=21)])

    assert len(faults) == (0 if held else 1)
    assert all(fault.extra["alternatives"] == ["2", "3"] for fault in faults)


def test_failed_per_product_alternative_names_one_product() -> None:
    rules = [rule(ONE_PRODUCT, "eq", "2"), rule(ONE_PRODUCT, "eq", "12")]

    (fault,) = check(rules, [line(2, variant_id=11), line(1, variant_id=21)])

    assert texts(fault) == ("2", "1", "1")
    assert fault.extra["platformProductId"] == "2"


@pytest.mark.parametrize(
    ("rules", "paths"),
    [
        # 6 items of one product, all in section 1
        pytest.param([rule(ITEMS, "eq", "6"), rule(DIFFERENT, "eq", "2")], ["limitRules.1"], id="types stand apart"),
        pytest.param([rule(ITEMS, "eq", "6"), rule(ITEMS, "eq", "5", 1)], ["limitRules.1"], id="scopes stand apart"),
        pytest.param(
            [rule(ITEMS, "eq", "5", 1), rule(ITEMS, "eq", "6", 2)], ["limitRules.0", "limitRules.1"], id="both"
        ),
        pytest.param([rule(ITEMS, "eq", "5", 1), rule(ITEMS, "eq", "6", 1)], [], id="alternatives in one section"),
        pytest.param([rule(ITEMS, "eq", "6"), rule(ITEMS, "gte", "7")], ["limitRules.1"], id="operations stand apart"),
        pytest.param(
            [rule(ITEMS, "gte", "6"), rule(ITEMS, "gte", "7")], ["limitRules.1"], id="gte are no alternatives"
        ),
        pytest.param(
            [rule(ITEMS, "eq", "5"), rule(ITEMS, "lte", "5"), rule(ITEMS, "eq", "6")],
            ["limitRules.1"],
            id="alternatives need not be neighbours",
        ),
        pytest.param([rule(ITEMS, "gte", "6"), rule(WEIGHT, "lte", "0")], [], id="all hold"),
        pytest.param([], [], id="no rules"),
    ],
)
def test_rules_other_than_alternatives_must_all_be_met(rules: list[LimitRule], paths: list[str]) -> None:
    assert failed(check(rules, [line(6)])) == paths


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


def test_fault_as_a_detail_of_a_response() -> None:
    """A fault is rendered as a response detail in the form shown in docs/contract.md#limit-rules."""
    rules = [rule(ITEMS, "gte", "1"), rule(PRICE, "gte", "1"), rule(WEIGHT, "lte", "1.3")]

    (fault,) = check(rules, [line(2, grams=670)])
    detail = fault.as_detail()

    assert isinstance(detail.pop("message"), str)
    assert detail == {
        "path": "limitRules.2",
        "code": "limit_not_met",
        "rule": "amount-of-weight",
        "unit": "weight",
        "operation": "lte",
        "sectionId": None,
        "limit": "1.3",
        "actual": "1.34",
        "missing": "0",
    }


SHAPES: dict[str, dict[str, Any]] = {
    ONE_PRODUCT: {"platformProductId": "1"},
    ONE_VARIANT: {"platformVariantId": "11"},
}


@pytest.mark.parametrize("section", [None, 1], ids=["bundle", "section"])
@pytest.mark.parametrize("type_", RULE_TYPES)
def test_every_fault_has_the_same_fields(type_: str, section: int | None) -> None:
    (fault,) = check([rule(type_, "gte", "50", section)], [line(2, grams=10)])
    detail = fault.as_detail()

    fields = {"path", "code", "message", "rule", "unit", "operation", "sectionId", "limit", "actual", "missing"}
    assert detail.keys() == fields | SHAPES.get(type_, {}).keys()
    assert (detail["rule"], detail["operation"], detail["sectionId"], detail["limit"]) == (type_, "gte", section, "50")
    assert detail["unit"] == RULE_TYPES[type_].unit
    assert all(isinstance(detail[text], str) for text in ("limit", "actual", "missing", "message"))
    assert detail["limit"] in detail["message"]


@pytest.mark.parametrize("operation", OUTCOMES)
@pytest.mark.parametrize("type_", RULE_TYPES)
def test_every_sentence_contains_limit_and_actual(type_: str, operation: str) -> None:
    limit = "1" if operation in ("lt", "lte") and type_ != MULTIPLES else "700"
    lines = [line(5, grams=1000, variant_id=variant_id) for variant_id in (11, 21, 31)]

    faults = check([rule(type_, operation, limit)], lines, discount=flat("price", "2.00"))

    assert faults
    for fault in faults:
        assert limit in fault.message
        assert fault.extra["actual"] in fault.message


@PROPERTY
@given(
    data=st.data(),
    currency=currencies,
    discount=discounts,
    subscription=st.none() | percentages,
    rules=st.lists(limit_rules, max_size=6),
    order=st.randoms(use_true_random=False),
)
def test_order_of_items_does_not_change_which_rules_fail(
    data: st.DataObject,
    currency: str,
    discount: Discount | None,
    subscription: Decimal | None,
    rules: list[LimitRule],
    order: Random,
) -> None:
    lines = data.draw(selections(currency))
    shuffled = order.sample(lines, len(lines))

    def failures(these: Sequence[Line]) -> set[tuple[str, ...]]:
        priced = price_selection(bundle(discount=discount), Outcome(tuple(these)), currency, subscription)
        return {_told(fault) for fault in check_limit_rules(rules, Scope(priced, "lb"))}

    assert failures(lines) == failures(shuffled)


def _told(fault: Fault) -> tuple[str, ...]:
    """Return the comparable values of a fault. For alternative rules, details about the product that the fault names are left
    out, because that product depends on the order of items in the request."""
    fixed = (fault.path, fault.code, fault.extra["limit"], str(fault.extra.get("alternatives")))
    names = (fault.extra.get("platformProductId", ""), fault.extra.get("platformVariantId", ""))
    if any(names) and "alternatives" in fault.extra:
        return fixed
    return (*fixed, *names, fault.extra["actual"], fault.extra["missing"])


@PROPERTY
@given(
    type_=st.sampled_from([ITEMS, MULTIPLES]),
    operation=st.sampled_from(["gt", "gte"]),
    value=st.sampled_from(["0.9", "1.5", "2.5", "3", "3.00", "6", "12"]),
    count=st.integers(1, 30),
)
def test_adding_the_missing_items_meets_the_rule(type_: str, operation: str, value: str, count: int) -> None:
    wanted = rule(type_, operation, value)
    for fault in check([wanted], [line(count)]):
        missing = int(fault.extra["missing"])
        assert missing >= 1
        assert not check([wanted], [line(count + missing)])
        assert all(check([wanted], [line(count + less)]) for less in range(missing))


@PROPERTY
@given(
    operation=st.sampled_from(["gt", "gte"]),
    type_=st.sampled_from([PRICE, BEFORE]),
    currency=currencies,
    units=st.integers(0, 5000),
    limit=st.decimals(0, 50, places=2),
)
def test_adding_the_missing_amount_meets_the_rule(
    operation: str, type_: str, currency: str, units: int, limit: Decimal
) -> None:
    step = Decimal("0.01") if currency == EUR else Decimal(1)
    wanted = rule(type_, operation, str(limit))

    def holds(amount: Decimal) -> bool:
        return not check([wanted], [line(price=str(amount))], currency=currency)

    for fault in check([wanted], [line(price=str(units * step))], currency=currency):
        missing = Decimal(fault.extra["missing"])
        assert holds(units * step + missing)
        assert not holds(units * step + missing - step)


@PROPERTY
@given(
    lines=selections(),
    rules=st.lists(limit_rules, max_size=6),
    void=st.frozensets(st.sampled_from([1, 2])),
    discount=discounts,
)
def test_void_rules_are_ignored(
    lines: list[Line], rules: list[LimitRule], void: frozenset[int], discount: Discount | None
) -> None:
    remaining = [place for place, one in enumerate(rules) if one.section_id not in void]

    details = [fault.as_detail() for fault in check(rules, lines, discount=discount, void=void)]
    alone = [fault.as_detail() for fault in check([rules[place] for place in remaining], lines, discount=discount)]

    for detail in alone:
        detail["path"] = f"limitRules.{remaining[int(detail['path'].removeprefix('limitRules.'))]}"
    assert details == alone
