"""What is missing to meet a limit rule (docs/contract.md#limit-rules)."""

import pytest

from bundlesvc.domain.bundle import LimitRule
from tests.domain.builders import EUR, JPY, line, rule
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
    texts,
)


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
