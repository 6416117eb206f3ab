"""Narrowing a set of numbers by one demand after the other, so that the first that leaves nothing can be named."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from bundlesvc.shop_file.lint.ranges import Numbers


class Cause(Enum):
    """What a demand is about."""

    OFFER = auto()
    AMOUNTS = auto()
    REQUIRED = auto()
    SECTIONS = auto()
    DIFFERENT = auto()
    WEIGHT = auto()
    PRICE = auto()


Demand = tuple[Cause, Callable[[Numbers], Numbers]]
"""Of the numbers that are left: those that meet it (and maybe others)."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The numbers of items that all demands leave; those before the demand that would have left none, if one did."""

    counts: Numbers
    cause: Cause | None


def narrowed(counts: Numbers, demands: Sequence[Demand]) -> Narrowed:
    for cause, demand in demands:
        left = counts & demand(counts)
        if not left:
            return Narrowed(counts, cause)
        counts = left
    return Narrowed(counts, None)
