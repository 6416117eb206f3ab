"""Classes of immutable values that are created for each request."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def immutable(cls: type[T]) -> type[T]:
    """Turn a class into a dataclass with slots whose fields cannot be reassigned. Only the type checker enforces this, because
    creating a frozen dataclass, or a named tuple, takes much longer."""
    return dataclass(slots=True)(cls)
