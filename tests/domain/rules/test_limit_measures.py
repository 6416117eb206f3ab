"""What each limit rule measures, and both sides of every limit (docs/contract.md#limit-rules)."""

import pytest

from bundlesvc.domain.line import Line
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from tests.domain.builders import BOUNDARIES, OUTCOMES, flat, line, line_of, product, rule, variant
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
)

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
