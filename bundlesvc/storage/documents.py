"""Aggregates as JSON documents: the domain's dataclasses to text and back."""

from decimal import Decimal
from typing import TypeVar

import orjson
from cattrs import Converter

T = TypeVar("T")

_converter = Converter()
_converter.register_unstructure_hook(Decimal, str)
_converter.register_structure_hook(Decimal, lambda text, _: Decimal(text))


def to_document(aggregate: object) -> str:
    """The aggregate as JSON."""
    plain = _converter.unstructure(aggregate)
    return orjson.dumps(plain, option=orjson.OPT_NON_STR_KEYS).decode()


def from_document(document: str, kind: type[T]) -> T:
    return _converter.structure(orjson.loads(document), kind)
