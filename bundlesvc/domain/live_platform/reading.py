"""A value that was fetched from a platform, and how old it is."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """A fetched value. `age` in seconds is 0 while the value counts as fresh. It may be cached for `lifetime` seconds; None:
    until the shop's revision changes."""

    value: T
    age: float = 0.0
    lifetime: float | None = None
