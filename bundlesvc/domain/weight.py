"""Weights: the shop's unit and its exact factor in grams (design 8)."""

from decimal import Decimal

GRAMS_PER_UNIT = {
    "g": Decimal(1),
    "kg": Decimal(1000),
    "oz": Decimal("28.349523125"),
    "lb": Decimal("453.59237"),
}
WEIGHT_UNITS = tuple(GRAMS_PER_UNIT)
