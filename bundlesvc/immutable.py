"""Classes of immutable values that are created for each request. Values that are unpacked are named tuples instead."""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(cls: type[T]) -> type[T]:
    """Turn a class into a dataclass with slots. Its fields must not be assigned to. Only the type checker enforces this, because
    frozen dataclasses and named tuples take two to three times as long to create."""
    return dataclass(slots=True, unsafe_hash=True)(cls)
