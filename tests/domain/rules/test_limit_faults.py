"""The faults of limit rules that are not met (docs/contract.md#limit-rules)."""

from typing import Any

import pytest

from bundlesvc.domain.rules.rule_types import RULE_TYPES
from tests.domain.builders import OUTCOMES, flat, line, rule
from tests.domain.rules.checks import ITEMS, MULTIPLES, ONE_PRODUCT, ONE_VARIANT, PRICE, WEIGHT, check


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
