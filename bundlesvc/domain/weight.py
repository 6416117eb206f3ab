"""Weights: the shop's unit and its exact factor in grams (design 8)."""

from decimal import Context, Decimal

GRAMS_PER_UNIT = {
    "g": Decimal(1),
    "kg": Decimal(1000),
    "oz": Decimal("28.349523125"),
    "lb": Decimal("453.59237"),
}
WEIGHT_UNITS = tuple(GRAMS_PER_UNIT)

_EXACT = Context(prec=64)


def in_grams(value: Decimal, unit: str) -> Decimal:
    """So much of a unit in grams, exactly: the factors have up to nine decimals themselves."""
    return _EXACT.multiply(value, GRAMS_PER_UNIT[unit])
