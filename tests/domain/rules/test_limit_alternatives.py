"""Limit rules that are alternatives (docs/contract.md#limit-rules)."""

import pytest

from bundlesvc.domain.bundle import LimitRule
from bundlesvc.domain.line import Line
from tests.domain.builders import line, rule
from tests.domain.rules.checks import (
    BEFORE,
    DIFFERENT,
    ITEMS,
    ONE_PRODUCT,
    ONE_VARIANT,
    PRICE,
    WEIGHT,
    check,
    failed,
    texts,
)


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
