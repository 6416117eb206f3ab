"""Bounds on how much one unit can add to the quantities measured by limit rules and conditions.

The linter, the from-price and completion use the bounds to reason about hypothetical selections.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.line import Line
from bundlesvc.domain.measures import ITEMS, MONEY, WEIGHT
from bundlesvc.domain.money import ZERO

PerUnit = Callable[[Line], Decimal]
"""A function that returns how much one unit of a line adds to a measure: items, an amount in the shop's currency, or grams."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitBounds:
    """The lower and upper bounds on how much one unit of a selection adds to a measure, whatever else is chosen. The `unit` field
    is the unit of measurement (one of UNITS). The measure of an empty selection is 0."""

    unit: str
    least: PerUnit
    most: PerUnit

    @property
    def are_exact(self) -> bool:
        """Whether a unit always adds the same amount, so that the measure is a simple sum."""
        return self.least is self.most


def _nothing(line: Line) -> Decimal:
    return ZERO


def _one(line: Line) -> Decimal:
    return Decimal(1)


def _price(line: Line) -> Decimal:
    return line.unit_price


def _grams(line: Line) -> Decimal:
    return Decimal(line.variant.grams)


ONE_EACH = UnitBounds(ITEMS, _one, _one)
UP_TO_ONE = UnitBounds(ITEMS, _nothing, _one)
PRICE = UnitBounds(MONEY, _price, _price)
UP_TO_PRICE = UnitBounds(MONEY, _nothing, _price)
GRAMS = UnitBounds(WEIGHT, _grams, _grams)
