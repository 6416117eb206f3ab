"""Converts the domain's dataclasses to JSON, and plain values back to dataclasses. Amounts are written as strings."""

from decimal import Decimal
from typing import Any

import orjson
from cattrs import Converter

from bundlesvc.compact_json import compact_json

UNREADABLE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
"""The errors that `from_plain` raises for values that do not have the requested type."""


def from_plain(plain: object, shape: Any) -> Any:
    """Convert plain values to a value of the type `shape`. Raises one of `UNREADABLE`."""
    return _converter.structure(plain, shape)


def to_json(value: object) -> bytes:
    """Serialise a value as JSON. Numeric keys are written as strings."""
    return compact_json(_converter.unstructure(value), orjson.OPT_NON_STR_KEYS)


def _amount(text: str, _: object) -> Decimal:
    amount = Decimal(text)
    if not amount.is_finite():
        raise ValueError("not a finite number")
    return amount


_converter = Converter(detailed_validation=False)
_converter.register_unstructure_hook(Decimal, str)
_converter.register_structure_hook(Decimal, _amount)
