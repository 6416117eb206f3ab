"""Weight units, and their exact factors in grams."""

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
    """A weight in grams. Exact, although factors have up to nine decimals."""
    return _EXACT.multiply(value, GRAMS_PER_UNIT[unit])
