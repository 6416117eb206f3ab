"""A value fetched from a platform, with its age."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """A fetched value. `age` is in seconds, and 0 while the value counts as fresh. The value may be cached for `lifetime` seconds
    or, when that is None, until the shop's revision changes."""

    value: T
    age: float = 0.0
    lifetime: float | None = None
