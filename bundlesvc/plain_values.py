"""The domain's dataclasses as plain values that JSON can hold, and back. Amounts are written as text."""

from decimal import Decimal
from typing import Any

import orjson
from cattrs import Converter

UNREADABLE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
"""What `from_plain` raises for values that do not have the shape."""


def to_plain(value: object) -> Any:
    return _converter.unstructure(value)


def from_plain(plain: object, shape: Any) -> Any:
    """The value in this shape. Raises one of `UNREADABLE`."""
    return _converter.structure(plain, shape)


def to_json(plain: object) -> bytes:
    """Plain values as JSON; keys that are numbers are written as text."""
    return orjson.dumps(plain, option=orjson.OPT_NON_STR_KEYS)


def _amount(text: str, _: object) -> Decimal:
    amount = Decimal(text)
    if not amount.is_finite():
        raise ValueError("not a finite number")
    return amount


_converter = Converter(detailed_validation=False)
_converter.register_unstructure_hook(Decimal, str)
_converter.register_structure_hook(Decimal, _amount)
