"""The five comparisons that limit rules, tiers and conditions share."""

import operator
from collections.abc import Callable
from decimal import Decimal

COMPARISONS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
    "eq": operator.eq,
}


def holds(actual: Decimal | int, operation: str, limit: Decimal) -> bool:
    """Whether the comparison is true. Both sides are compared as numbers: "3" equals "3.00"."""
    return COMPARISONS[operation](Decimal(actual), limit)
