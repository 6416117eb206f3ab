"""Shopify's scalars: amounts, weights, and what may be null on the way to a value."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from bundlesvc.domain.weight import in_grams

WEIGHT_UNITS: Mapping[str, str] = {"GRAMS": "g", "KILOGRAMS": "kg", "OUNCES": "oz", "POUNDS": "lb"}


def at(node: Any, *path: str) -> Any:
    """What lies at the end of a path; None when anything on the way is null."""
    for name in path:
        if node is None:
            return None
        node = node[name]
    return node


def amount(text: str) -> Decimal:
    """An amount as `Money` ("24.00") or `Decimal` ("24.0") writes it. Raises ValueError when it is no number."""
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(text)
    return number


def grams(weight: Mapping[str, Any] | None) -> int:
    """A weight in whole grams, rounded half up; 0 for none."""
    if weight is None:
        return 0
    exact = in_grams(amount(str(weight["value"])), WEIGHT_UNITS[weight["unit"]])
    return int(exact.to_integral_value(ROUND_HALF_UP))


def next_cursor(connection: Mapping[str, Any]) -> str | None:
    """Where the next page of a connection begins; None behind the last one."""
    page: Mapping[str, Any] = connection["pageInfo"]
    return page["endCursor"] if page["hasNextPage"] else None
