"""Units of measure, comparisons, and weights in grams, shared by limit rules, tiers and conditions."""

import operator
from collections.abc import Callable
from decimal import Context, Decimal

ITEMS, MONEY, WEIGHT = "items", "money", "weight"
UNITS = (ITEMS, MONEY, WEIGHT)
"""The units of measures: items of a selection, the shop's currency, and the shop's unit of weight."""

COMPARISONS: dict[str, Callable[[Decimal | int, Decimal], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
    "eq": operator.eq,
}

GRAMS_PER_UNIT = {
    "g": Decimal(1),
    "kg": Decimal(1000),
    "oz": Decimal("28.349523125"),
    "lb": Decimal("453.59237"),
}
"""Grams per unit of weight, exact."""
WEIGHT_UNITS = tuple(GRAMS_PER_UNIT)

_EXACT = Context(prec=64)


def holds(actual: Decimal | int, operation: str, limit: Decimal) -> bool:
    """Whether the comparison is true. Both sides are compared as numbers: "3" equals "3.00"."""
    return COMPARISONS[operation](actual, limit)


def in_grams(value: Decimal, unit: str) -> Decimal:
    """Convert a weight to grams. The result is exact, although the factors have up to nine decimal places."""
    return _EXACT.multiply(value, GRAMS_PER_UNIT[unit])
